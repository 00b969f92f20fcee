import Testing

@testable import MusterCore

/// A cluster service and the view of its subscribers: each tile as a gateway mirrors it.
struct ClusterServiceUnderTest {
    /// The features of one tile as one session sees them.
    typealias View = [Int64: TileEntry]

    var clusters: ClusterService
    var now = WorldUnderTest.start
    /// The view of each session.
    private(set) var views: [SessionID: [TileLayer: [TileAddress: View]]] = [:]
    /// The answers of the last batch.
    private(set) var answers: [ClusterEffect] = []
    /// Sessions whose subscription failed so far.
    private(set) var layerUnsubscribed: [SessionID] = []
    /// The number of features sent so far, in changes and whole tiles.
    private(set) var sent = 0

    init(_ table: LayerTable = .muster) { self.clusters = ClusterService(table) }

    /// Applies inputs as one batch.
    ///
    /// It stops after `pieces` pieces of work, or when all is done.
    mutating func iterate(_ inputs: [ClusterInput], isTick: Bool = false, pieces: Int = .max) {
        var effects: [ClusterEffect] = []
        self.clusters.apply(inputs, at: self.now, into: &effects)
        if isTick { self.clusters.tick(at: self.now, into: &effects) }
        var left = pieces
        while left > 0, self.clusters.work(into: &effects) { left -= 1 }
        self.answers = []
        for effect in effects { self.execute(effect) }
    }

    /// Advances time by a second and runs a tick.
    mutating func tick(pieces: Int = .max) {
        self.now = self.now + 1000
        self.iterate([], isTick: true, pieces: pieces)
    }

    /// Drops the view of a session, as the end of its connection does.
    mutating func end(_ session: SessionID) {
        self.views[session] = nil
        self.iterate([.ended(session)])
    }

    /// A query of a session.
    static func asked(_ session: Int64, _ layer: TileLayer, _ question: ClusterQuestion) -> ClusterInput {
        .asked(.session(SessionID(session), .number(1)), layer, question)
    }

    private mutating func execute(_ effect: ClusterEffect) {
        switch effect {
        case .refused, .confirmed, .done, .tile, .cluster, .leaves:
            self.answers.append(effect)
        case .layerUnsubscribed(let session, _):
            self.layerUnsubscribed.append(session)
        case .subscribed(let session, let layer, let tile):
            guard let content = self.clusters.content(of: tile, in: layer) else {
                Issue.record("whoever follows a tile is shown it")
                return
            }
            self.sent += content.entries.count
            self.views[session, default: [:]][layer, default: [:]][tile] = Dictionary(
                uniqueKeysWithValues: content.entries.map { ($0.feature.entryKey, $0) }
            )
        case .unsubscribed(let session, let layer, let tile):
            self.views[session]?[layer]?[tile] = nil
        case .changed(let change):
            self.sent += change.entries.count
            for session in self.views.keys {
                guard var view = self.views[session]?[change.layer]?[change.tile] else { continue }
                for entry in change.entries { view[entry.feature.entryKey] = entry }
                for key in change.gone { view[key] = nil }
                self.views[session]?[change.layer]?[change.tile] = view
            }
        case .closed(let layer, let tile):
            for session in self.views.keys { self.views[session]?[layer]?[tile] = nil }
        }
    }

    /// The features of a tile, computed from scratch for a layer with these points.
    static func fresh(_ points: [Int64: TilePoint], _ kind: LayerKind, _ tile: TileAddress) -> View {
        var clusterIndex = ClusterIndex(naming: kind.naming)
        for point in points.values { clusterIndex.put(point.id, at: MercatorPoint(point.coordinate)) }
        let entries = clusterIndex.features(in: tile).map { feature in
            guard case .point(let id) = feature.content else { return TileEntry(feature) }
            return TileEntry(feature, points[id]?.values ?? PointValues())
        }
        return Dictionary(uniqueKeysWithValues: entries.map { ($0.feature.entryKey, $0) })
    }
}
