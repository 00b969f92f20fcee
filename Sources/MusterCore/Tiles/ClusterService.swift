// The cluster service (`ClusterService`) is to maps what the world is to rosters: a value that takes inputs with their
// times and returns effects, without a clock or I/O. Its work can take long: a subscription may show 64 new tiles, and
// a tick may change a thousand. So inputs only record work, and `work` does it piece by piece while the caller has
// time. What remains comes first in the next iteration of the event loop. A piece is a tile, a question, or a few
// thousand steps of pending changes.
//
// The changes of a layer are sent at the tick. Changes that hide something are sent at the end of the iteration, before
// all others.
//
// Invariants
// - No question is answered before all inputs of an iteration are applied, because one of the last may hide a point.
// - The features of a tile are read from the cluster index when they are sent, so a removed point is never sent.
// - A session is subscribed to a tile only after the change that leads to the tile's current state was sent.
// - The versions of a tile rise, even if it was discarded in between.

/// The cluster service: all map tile layers of a node, and the sessions' subscriptions to tiles.
package struct ClusterService {
    /// The time in milliseconds for which a tile is kept without a subscription.
    static let tileIdle: Int64 = 30_000

    /// A unit of work for a session or a request.
    enum Job {
        case show(SessionID, TileLayer, TileAddress)
        case read(ClusterRequester, TileLayer, TileAddress)
        case cluster(ClusterRequester, TileLayer, String)
        case leaves(ClusterRequester, TileLayer, String, after: LeafCursor?, limit: Int)
        /// Removes the points that storage no longer holds.
        case sweep(TileLayer)
    }

    let table: LayerTable
    var now = Timestamp(milliseconds: 0)
    var layers: [TileLayer: ClusterLayer] = [:]
    /// The tiles that each session is subscribed to.
    var subscriptions: [SessionID: [TileLayer: Set<TileAddress>]] = [:]
    /// The last version that a tile received.
    var lastVersion: UInt64 = 0
    /// The last number that a subscription received.
    var lastSubscription: Int64 = 0
    /// The layers whose changes are being sent, in order; layers that have none left, or are closed, are skipped.
    private var due = WorkQueue<TileLayer>()
    /// The layers with changes that hide something, in order; likewise.
    private var urgent = WorkQueue<TileLayer>()
    /// The jobs for sessions and requests and after a load, in order.
    var jobs = WorkQueue<Job>()
    /// The tiles without subscriptions, in the order in which they lost the last one.
    var idle = WorkQueue<(layer: TileLayer, tile: TileAddress, since: Timestamp)>()
    /// Whether the last piece of work was a job, so that a change is next.
    private var servedJob = false
    /// The totals since the start.
    var totals = ClusterTotals()
    /// The effects of the call in progress; empty between calls.
    var effects: [ClusterEffect] = []

    /// Creates layers without points; layers from storage can be queried once they are loaded.
    package init(_ table: LayerTable = .muster) {
        self.table = table
        for kind in table.kinds where kind.source == .storage && kind.audience != .members {
            let layer = TileLayer(kind: kind.number)
            self.layers[layer] = ClusterLayer(layer, kind: kind, isReady: false)
        }
    }

    // MARK: - Inputs

    /// Applies inputs, in order.
    package mutating func apply(_ inputs: [ClusterInput], at now: Timestamp, into effects: inout [ClusterEffect]) {
        swap(&effects, &self.effects)
        defer { swap(&effects, &self.effects) }
        self.now = now
        for input in inputs { self.accept(input) }
    }

    private mutating func accept(_ input: ClusterInput) {
        switch input {
        case .loadBegan(let layer): self.beginLoad(of: layer)
        case .loaded(let layer, let points): self.layers[layer]?.load(points)
        case .loadEnded(let layer):
            if self.layers[layer]?.endLoad() == true { self.jobs.append(.sweep(layer)) }
            self.makeUrgent(layer)
        case .put(let layer, let points): self.layers[layer]?.put(points)
        case .narrowed(let layer, let points):
            self.layers[layer]?.put(points)
            self.makeUrgent(layer)
        case .removed(let layer, let points):
            self.layers[layer]?.remove(points)
            self.makeUrgent(layer)
        case .opened(let layer, let points): self.open(layer, with: points)
        case .moved(let layer, let moves): self.move(moves, of: layer)
        case .closed(let layer): self.close(layer)
        case .asked(let asker, let layer, let question): self.answer(asker, layer, question)
        case .refused(let asker, let refusal): self.effects.append(.refused(asker, refusal))
        case .reached(let asker): self.effects.append(.done(asker))
        case .layerUnsubscribed(let session, let layer): self.unsubscribe(layer, by: session)
        case .ended(let session): self.end(session)
        case .released(let layer, let tile): self.release(tile, of: layer)
        }
    }

    private mutating func beginLoad(of layer: TileLayer) {
        guard let kind = self.table.kind(layer.kind) else { return }
        self.layers[layer, default: ClusterLayer(layer, kind: kind, isReady: false)].beginLoad()
    }

    private mutating func open(_ layer: TileLayer, with points: [TilePoint]) {
        guard let kind = self.table.kind(layer.kind) else { return }
        self.close(layer)
        self.layers[layer] = ClusterLayer(layer, kind: kind, isReady: true)
        self.layers[layer]?.put(points)
    }

    private mutating func move(_ moves: [TileMove], of layer: TileLayer) {
        self.layers[layer]?.move(moves)
        if moves.contains(where: { $0.isNarrower || $0.point == nil }) { self.makeUrgent(layer) }
    }

    private mutating func close(_ layer: TileLayer) {
        guard let known = self.layers.removeValue(forKey: layer) else { return }
        for (tile, state) in known.tiles where state.entries != nil { self.effects.append(.closed(layer, tile)) }
        for session in self.subscriptions.keys {
            self.subscriptions[session]?[layer] = nil
            if self.subscriptions[session]?.isEmpty == true { self.subscriptions[session] = nil }
        }
    }

    // MARK: - Work

    /// Advances time: schedules the changes of all layers, and discards unused tiles.
    package mutating func tick(at now: Timestamp, into effects: inout [ClusterEffect]) {
        swap(&effects, &self.effects)
        defer { swap(&effects, &self.effects) }
        self.now = now
        for layer in self.layers.keys where self.layers[layer]?.hasChanges == true { self.makeDue(layer) }
        while let next = self.idle.first, next.since + Self.tileIdle <= now {
            self.idle.popFirst()
            guard self.layers[next.layer]?.tiles[next.tile]?.idleSince == next.since else { continue }
            self.layers[next.layer]?.tiles[next.tile]?.idleSince = nil
            self.forgetIfUnused(next.tile, of: next.layer)
        }
    }

    /// Does a piece of pending work.
    ///
    /// The caller repeats it until the iteration has no time left, or no work is left.
    ///
    /// - Returns: false if there was no work.
    package mutating func work(into effects: inout [ClusterEffect]) -> Bool {
        swap(&effects, &self.effects)
        defer { swap(&effects, &self.effects) }
        // Alternates, so that neither changes nor jobs delay the other.
        if self.servedJob { return self.sendChange() || self.doJob() }
        return self.doJob() || self.sendChange()
    }

    /// Whether there is pending work.
    package var hasWork: Bool { !self.due.isEmpty || !self.urgent.isEmpty || !self.jobs.isEmpty }

    /// Schedules the changes of a layer.
    private mutating func makeDue(_ layer: TileLayer) {
        guard self.layers[layer]?.isDue == false else { return }
        self.layers[layer]?.isDue = true
        self.due.append(layer)
    }

    /// Schedules the changes of a layer before all others, without waiting for the next tick.
    private mutating func makeUrgent(_ layer: TileLayer) {
        guard self.layers[layer]?.isUrgent == false else { return }
        self.layers[layer]?.isDue = true
        self.layers[layer]?.isUrgent = true
        self.urgent.append(layer)
    }

    /// Does a piece of sending changes: checks one tile, or applies some pending changes first.
    ///
    /// - Returns: false if there was no work.
    private mutating func sendChange() -> Bool {
        self.servedJob = false
        guard let layer = self.urgent.first ?? self.due.first else { return false }
        guard self.layers[layer]?.isDue == true else {
            self.endNotifying()
            return true
        }
        guard self.layers[layer]?.resolve(ClusterRule.zooms) != false else { return true }
        switch self.layers[layer]?.checkTile() {
        case .changed(let tile)?: self.send(tile, of: layer)
        case .unchanged?: break
        case .noneLeft?, nil:
            self.layers[layer]?.isDue = false
            self.layers[layer]?.isUrgent = false
            self.endNotifying()
        }
        return true
    }

    private mutating func endNotifying() {
        if self.urgent.popFirst() == nil { self.due.popFirst() }
    }

    private mutating func send(_ tile: TileAddress, of layer: TileLayer) {
        guard let known = self.layers[layer]?.tiles[tile] else { return }
        // Without subscribers, it costs less to read the tile again later than to keep it up to date.
        guard known.sessions > 0 else { return self.forget(tile, of: layer) }
        self.show(tile, of: layer)
    }

    private mutating func doJob() -> Bool {
        guard let job = self.jobs.first else { return false }
        self.servedJob = true
        guard self.isReady(for: job) else { return true }
        self.jobs.popFirst()
        switch job {
        case .show(let session, let layer, let tile):
            guard self.subscriptions[session]?[layer]?.contains(tile) == true else { return true }
            self.refresh(tile, of: layer)
            self.effects.append(.subscribed(session, layer, tile))
        case .read(let asker, let layer, let tile):
            guard self.layers[layer]?.isReady == true else {
                self.effects.append(.refused(asker, .loading))
                return true
            }
            self.refresh(tile, of: layer)
            self.layers[layer]?.tiles[tile]?.isKept = true
            if let content = self.layers[layer]?.content(of: tile) { self.effects.append(.tile(asker, content)) }
        case .cluster(let asker, let layer, let name):
            let summary = self.layers[layer]?.cluster(name)
            self.effects.append(summary.map { .cluster(asker, $0) } ?? .refused(asker, .clusterGone))
        case .leaves(let asker, let layer, let name, let cursor, let limit):
            let page = self.layers[layer]?.leaves(of: name, after: cursor, limit: limit)
            self.effects.append(
                page.map { .leaves(asker, layer, $0.points, next: $0.next) } ?? .refused(asker, .clusterGone)
            )
        case .sweep(let layer):
            guard let isDone = self.layers[layer]?.sweep() else { return true }
            if !isDone { self.jobs.append(.sweep(layer)) }
            self.makeUrgent(layer)
        }
        return true
    }

    /// Applies some of the pending changes that a job depends on.
    ///
    /// - Returns: false if there are more.
    private mutating func isReady(for job: Job) -> Bool {
        let (layer, zooms): (TileLayer, ClosedRange<Int>)
        switch job {
        case .show(_, let its, let tile), .read(_, let its, let tile): (layer, zooms) = (its, tile.zoom...tile.zoom)
        case .cluster(_, let its, let name):
            // The expansion zoom depends on all higher zooms.
            guard let zoom = ClusterName(name)?.zoom else { return true }
            (layer, zooms) = (its, zoom...max(zoom, ClusterRule.zooms.upperBound))
        case .leaves(_, let its, let name, _, _):
            guard let zoom = ClusterName(name)?.zoom else { return true }
            (layer, zooms) = (its, zoom...zoom)
        case .sweep: return true
        }
        return self.layers[layer]?.resolve(zooms) != false
    }

    /// Updates a tile before it is shown.
    private mutating func refresh(_ tile: TileAddress, of layer: TileLayer) {
        let isKnown = self.layers[layer]?.tiles[tile]?.entries != nil
        guard !isKnown || self.layers[layer]?.hasChanges == true else { return }
        if isKnown { self.layers[layer]?.noteShownBeforehand(tile) }
        self.show(tile, of: layer)
    }

    private mutating func show(_ tile: TileAddress, of layer: TileLayer) {
        self.totals.shownTiles += 1
        self.lastVersion += 1
        guard let change = self.layers[layer]?.show(tile, version: self.lastVersion) else { return }
        self.totals.changedTiles += 1
        self.totals.changedFeatures += change.entries.count + change.gone.count
        self.effects.append(.changed(change))
    }

    // MARK: - Discarding

    /// Discards a tile, even if it is in use.
    private mutating func forget(_ tile: TileAddress, of layer: TileLayer) {
        if self.layers[layer]?.close(tile) == true { self.effects.append(.closed(layer, tile)) }
    }

    /// Discards a tile that is no longer needed.
    mutating func forgetIfUnused(_ tile: TileAddress, of layer: TileLayer) {
        guard self.layers[layer]?.tiles[tile]?.isUnused == true else { return }
        self.forget(tile, of: layer)
    }

    private mutating func release(_ tile: TileAddress, of layer: TileLayer) {
        self.layers[layer]?.tiles[tile]?.isKept = false
        self.forgetIfUnused(tile, of: layer)
    }

    // MARK: - Content

    /// The last sent content of a tile; nil if the tile is not kept.
    package func content(of tile: TileAddress, in layer: TileLayer) -> TileContent? {
        self.layers[layer]?.content(of: tile)
    }
}
