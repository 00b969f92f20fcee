// The atlas is to maps what the world is to rosters: one value that takes inputs with their times and gives effects, without
// clock or I/O. What it must do takes long, at times: a watch can show 64 tiles that nobody has looked at, a tick can change
// a thousand. So inputs only note what is to be done, and `work` does it, piece by piece, as long as whoever calls it has time;
// what is left goes first in the next turn. A piece is a tile, a question, or a few thousand steps of what changes leave to do.
//
// Of the changes of a layer people are told at the tick; when something must vanish, at the end of the turn, ahead of what is
// only due.
//
// Invariants
// - No question is answered before all inputs of a turn are taken in, for what hides somebody may be among the last of them.
// - What a tile shows is asked of the pyramid when it is told, so nobody is ever told of a point that was taken out before.
// - A session is subscribed to a tile only after the tile's change was told that makes it what it is now.
// - Versions of a tile rise, also when it was forgotten in between.

/// All layers of map tiles of a node, and who watches which tiles.
package struct Atlas {
    /// For how long a tile is kept that no session watches, in milliseconds.
    static let tileIdle: Int64 = 30_000

    /// Something that is to be done for one who looks.
    enum Job {
        case show(SessionID, TileLayer, TileAddress)
        case read(AtlasAsker, TileLayer, TileAddress)
        case cluster(AtlasAsker, TileLayer, String)
        case leaves(AtlasAsker, TileLayer, String, after: LeafCursor?, limit: Int)
        /// Takes out what storage does not hold any more.
        case sweep(TileLayer)
    }

    let table: LayerTable
    var now = Timestamp(milliseconds: 0)
    var layers: [TileLayer: AtlasLayer] = [:]
    /// What each session watches.
    var watches: [SessionID: [TileLayer: Set<TileAddress>]] = [:]
    /// The last version that was given to a tile.
    var lastVersion: UInt64 = 0
    /// The last number that was given to a watch.
    var lastWatch: Int64 = 0
    /// Layers whose changes are told now, in order; those whose changes have been told, or that are gone, are passed over.
    private var due = WorkQueue<TileLayer>()
    /// Layers of which something must vanish now, in order; likewise.
    private var urgent = WorkQueue<TileLayer>()
    /// What is to be done for those who look, and after a load, in order.
    var jobs = WorkQueue<Job>()
    /// Tiles that no session watches, in the order in which that began.
    var idle = WorkQueue<(layer: TileLayer, tile: TileAddress, since: Timestamp)>()
    /// Whether those who look had the last turn at work, so that the others have the next.
    private var servedJob = false
    /// Counts that only rise.
    var totals = AtlasTotals()

    /// Creates an atlas of layers without points; those that storage fills can be looked at once they are loaded.
    package init(_ table: LayerTable = .muster) {
        self.table = table
        for kind in table.kinds where kind.source == .storage && kind.audience != .members {
            let layer = TileLayer(kind: kind.number)
            self.layers[layer] = AtlasLayer(layer, kind: kind, isReady: false)
        }
    }

    // MARK: - Inputs

    /// Takes in what happened, in order.
    package mutating func apply(_ inputs: [AtlasInput], at now: Timestamp, into effects: inout [AtlasEffect]) {
        self.now = now
        for input in inputs { self.accept(input, into: &effects) }
    }

    private mutating func accept(_ input: AtlasInput, into effects: inout [AtlasEffect]) {
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
        case .opened(let layer, let points): self.open(layer, with: points, into: &effects)
        case .moved(let layer, let moves): self.move(moves, of: layer)
        case .closed(let layer): self.close(layer, into: &effects)
        case .asked(let asker, let layer, let question): self.answer(asker, layer, question, into: &effects)
        case .refused(let asker, let refusal): effects.append(.refused(asker, refusal))
        case .reached(let asker): effects.append(.done(asker))
        case .unwatched(let session, let layer): self.unwatch(layer, by: session, into: &effects)
        case .ended(let session): self.end(session)
        case .released(let layer, let tile): self.release(tile, of: layer, into: &effects)
        }
    }

    private mutating func beginLoad(of layer: TileLayer) {
        guard let kind = self.table.kind(layer.kind) else { return }
        self.layers[layer, default: AtlasLayer(layer, kind: kind, isReady: false)].beginLoad()
    }

    private mutating func open(_ layer: TileLayer, with points: [TilePoint], into effects: inout [AtlasEffect]) {
        guard let kind = self.table.kind(layer.kind) else { return }
        self.close(layer, into: &effects)
        self.layers[layer] = AtlasLayer(layer, kind: kind, isReady: true)
        self.layers[layer]?.put(points)
    }

    private mutating func move(_ moves: [TileMove], of layer: TileLayer) {
        self.layers[layer]?.move(moves)
        if moves.contains(where: { $0.isNarrower || $0.point == nil }) { self.makeUrgent(layer) }
    }

    private mutating func close(_ layer: TileLayer, into effects: inout [AtlasEffect]) {
        guard let known = self.layers.removeValue(forKey: layer) else { return }
        for (tile, state) in known.tiles where state.entries != nil { effects.append(.closed(layer, tile)) }
        for session in self.watches.keys {
            self.watches[session]?[layer] = nil
            if self.watches[session]?.isEmpty == true { self.watches[session] = nil }
        }
    }

    // MARK: - Turns

    /// Lets time pass: what changed is told from now on, and what nobody looks at is forgotten.
    package mutating func tick(at now: Timestamp, into effects: inout [AtlasEffect]) {
        self.now = now
        for layer in self.layers.keys where self.layers[layer]?.hasChanges == true { self.makeDue(layer) }
        while let next = self.idle.first, next.since + Self.tileIdle <= now {
            self.idle.popFirst()
            guard self.layers[next.layer]?.tiles[next.tile]?.idleSince == next.since else { continue }
            self.layers[next.layer]?.tiles[next.tile]?.idleSince = nil
            self.forgetIfUnused(next.tile, of: next.layer, into: &effects)
        }
    }

    /// Does a piece of what follows from inputs and ticks; called until a turn has no time left, or nothing is left to do.
    ///
    /// - Returns: false when there was nothing to do.
    package mutating func work(into effects: inout [AtlasEffect]) -> Bool {
        // In turn, so that neither many changes nor many who look keep the others waiting.
        if self.servedJob { return self.tellChange(&effects) || self.doJob(&effects) }
        return self.doJob(&effects) || self.tellChange(&effects)
    }

    /// Whether there is anything left to do.
    package var hasWork: Bool { !self.due.isEmpty || !self.urgent.isEmpty || !self.jobs.isEmpty }

    /// Has all changes of a layer told now.
    private mutating func makeDue(_ layer: TileLayer) {
        guard self.layers[layer]?.isDue == false else { return }
        self.layers[layer]?.isDue = true
        self.due.append(layer)
    }

    /// Has all changes of a layer told before all others, and not at the next tick.
    private mutating func makeUrgent(_ layer: TileLayer) {
        guard self.layers[layer]?.isUrgent == false else { return }
        self.layers[layer]?.isDue = true
        self.layers[layer]?.isUrgent = true
        self.urgent.append(layer)
    }

    /// Does a piece of telling what changed: looks at one tile, or at what must be done before.
    ///
    /// - Returns: false when there was nothing to do.
    private mutating func tellChange(_ effects: inout [AtlasEffect]) -> Bool {
        self.servedJob = false
        guard let layer = self.urgent.first ?? self.due.first else { return false }
        guard self.layers[layer]?.isDue == true else {
            self.endTelling()
            return true
        }
        guard self.layers[layer]?.settle(ClusterRule.zooms) != false else { return true }
        switch self.layers[layer]?.checkTile() {
        case .changed(let tile)?: self.tell(tile, of: layer, into: &effects)
        case .unchanged?: break
        case .noneLeft?, nil:
            self.layers[layer]?.isDue = false
            self.layers[layer]?.isUrgent = false
            self.endTelling()
        }
        return true
    }

    private mutating func endTelling() {
        if self.urgent.popFirst() == nil { self.due.popFirst() }
    }

    private mutating func tell(_ tile: TileAddress, of layer: TileLayer, into effects: inout [AtlasEffect]) {
        guard let known = self.layers[layer]?.tiles[tile] else { return }
        // It is as quickly read again as kept up to date for nobody.
        guard known.sessions > 0 else { return self.forget(tile, of: layer, into: &effects) }
        self.show(tile, of: layer, into: &effects)
    }

    private mutating func doJob(_ effects: inout [AtlasEffect]) -> Bool {
        guard let job = self.jobs.first else { return false }
        self.servedJob = true
        guard self.isReady(for: job) else { return true }
        self.jobs.popFirst()
        switch job {
        case .show(let session, let layer, let tile):
            guard self.watches[session]?[layer]?.contains(tile) == true else { return true }
            self.refresh(tile, of: layer, into: &effects)
            effects.append(.subscribed(session, layer, tile))
        case .read(let asker, let layer, let tile):
            guard self.layers[layer]?.isReady == true else {
                effects.append(.refused(asker, .loading))
                return true
            }
            self.refresh(tile, of: layer, into: &effects)
            self.layers[layer]?.tiles[tile]?.isKept = true
            if let content = self.layers[layer]?.content(of: tile) { effects.append(.tile(asker, content)) }
        case .cluster(let asker, let layer, let name):
            let summary = self.layers[layer]?.cluster(name)
            effects.append(summary.map { .cluster(asker, $0) } ?? .refused(asker, .clusterGone))
        case .leaves(let asker, let layer, let name, let cursor, let limit):
            let page = self.layers[layer]?.leaves(of: name, after: cursor, limit: limit)
            effects.append(
                page.map { .leaves(asker, layer, $0.points, next: $0.next) } ?? .refused(asker, .clusterGone)
            )
        case .sweep(let layer):
            guard let isDone = self.layers[layer]?.sweep() else { return true }
            if !isDone { self.jobs.append(.sweep(layer)) }
            self.makeUrgent(layer)
        }
        return true
    }

    /// Does some of what changes leave to do before a job can be done.
    ///
    /// - Returns: false when there is more.
    private mutating func isReady(for job: Job) -> Bool {
        let (layer, zooms): (TileLayer, ClosedRange<Int>)
        switch job {
        case .show(_, let its, let tile), .read(_, let its, let tile): (layer, zooms) = (its, tile.zoom...tile.zoom)
        case .cluster(_, let its, let name):
            // At which zoom it parts, others tell.
            guard let zoom = ClusterName(name)?.zoom else { return true }
            (layer, zooms) = (its, zoom...max(zoom, ClusterRule.zooms.upperBound))
        case .leaves(_, let its, let name, _, _):
            guard let zoom = ClusterName(name)?.zoom else { return true }
            (layer, zooms) = (its, zoom...zoom)
        case .sweep: return true
        }
        return self.layers[layer]?.settle(zooms) != false
    }

    /// Brings a tile up to what it shows now, for one who is going to look at it.
    private mutating func refresh(_ tile: TileAddress, of layer: TileLayer, into effects: inout [AtlasEffect]) {
        let isKnown = self.layers[layer]?.tiles[tile]?.entries != nil
        guard !isKnown || self.layers[layer]?.hasChanges == true else { return }
        if isKnown { self.layers[layer]?.noteShownEarly(tile) }
        self.show(tile, of: layer, into: &effects)
    }

    private mutating func show(_ tile: TileAddress, of layer: TileLayer, into effects: inout [AtlasEffect]) {
        self.totals.shownTiles += 1
        self.lastVersion += 1
        guard let change = self.layers[layer]?.show(tile, version: self.lastVersion) else { return }
        self.totals.changedTiles += 1
        self.totals.changedFeatures += change.entries.count + change.gone.count
        effects.append(.changed(change))
    }

    // MARK: - Forgetting

    /// Forgets a tile, whoever keeps it.
    private mutating func forget(_ tile: TileAddress, of layer: TileLayer, into effects: inout [AtlasEffect]) {
        if self.layers[layer]?.close(tile) == true { effects.append(.closed(layer, tile)) }
    }

    /// Forgets a tile that nobody needs any more.
    mutating func forgetIfUnused(_ tile: TileAddress, of layer: TileLayer, into effects: inout [AtlasEffect]) {
        guard self.layers[layer]?.tiles[tile]?.isUnused == true else { return }
        self.forget(tile, of: layer, into: &effects)
    }

    private mutating func release(_ tile: TileAddress, of layer: TileLayer, into effects: inout [AtlasEffect]) {
        self.layers[layer]?.tiles[tile]?.isKept = false
        self.forgetIfUnused(tile, of: layer, into: &effects)
    }

    // MARK: - What is there

    /// All that a tile was last told to show; nil when it is not kept.
    package func content(of tile: TileAddress, in layer: TileLayer) -> TileContent? {
        self.layers[layer]?.content(of: tile)
    }
}
