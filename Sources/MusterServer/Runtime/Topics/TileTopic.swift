import MusterCore
import MusterWire
import WebSocketGateway

/// A map tile as a topic of the gateway.
///
/// Each feature is an entry of one fragment, under its entry key.
struct TileTopic: TopicKind {
    /// The offset from the number of a layer kind to the number of its topic kind.
    private static let firstNumber: UInt8 = 16
    /// The epoch of all versions: versions of the cluster service increase as long as the process lives.
    private static let epoch = "a"

    /// Tiles that change in one tick share a frame.
    ///
    /// Their changes are few, so none is delayed.
    let rules = TopicRules(memory: .everything, pacing: .atOnce, joinsTopics: true)

    private let kind: LayerKind

    /// Creates the topic kind of a layer kind.
    init(_ kind: LayerKind) { self.kind = kind }

    /// The number of the topic kind of a layer kind.
    static func number(of kind: LayerKind) -> UInt8 { Self.firstNumber + kind.number }

    /// Whether a topic is a tile.
    static func isTile(_ topic: TopicID) -> Bool { topic.kind >= Self.firstNumber }

    /// The topic of a tile.
    static func id(_ layer: TileLayer, _ tile: TileAddress) -> TopicID {
        TopicID(kind: Self.firstNumber + layer.kind, key: layer.group?.rawValue ?? 0, part: tile.packed)
    }

    private static func tile(of topic: Topic) -> TileAddress {
        guard let tile = TileAddress(packed: topic.id.part) else {
            preconditionFailure("a topic is named after its tile")
        }
        return tile
    }

    // MARK: - Mirror content

    /// The encoded snapshot of a tile.
    func snapshot(_ content: TileContent) -> TopicSnapshot {
        TopicSnapshot(
            id: Self.id(content.layer, content.tile),
            epoch: Self.epoch,
            version: content.version,
            entries: content.entries.map { entry in
                let bytes = TileFrame.feature(entry, of: content.tile, in: self.kind)
                return TopicEntry(
                    key: entry.feature.entryKey,
                    stable: TopicFragment(version: content.version, bytes: bytes)
                )
            },
            floor: content.version
        )
    }

    /// The encoded change of a tile.
    func change(_ change: TileChange) -> TopicChange {
        TopicChange(
            topic: Self.id(change.layer, change.tile),
            version: change.version,
            entries: change.entries.map { entry in
                TopicChange.Entry(
                    key: entry.feature.entryKey,
                    stable: TileFrame.feature(entry, of: change.tile, in: self.kind)
                )
            },
            removed: change.gone
        )
    }

    // MARK: - Client frames

    func appendReset(_ topic: Topic, for cursor: TopicCursor, to frame: inout [UInt8]) {
        TileFrame.beginTile(Self.tile(of: topic), version: topic.version, isFull: true, to: &frame)
        TileFrame.append(topic.entries.lazy.map(\.stable.bytes), to: &frame)
        TileFrame.beginGone(&frame)
        TileFrame.endTile(&frame)
    }

    func appendUpdate(_ topic: Topic, for cursor: TopicCursor, to frame: inout [UInt8]) -> Bool {
        let start = frame.count
        let tile = Self.tile(of: topic)
        TileFrame.beginTile(tile, version: topic.version, isFull: false, to: &frame)
        let hasEntries = topic.forEachEntry(after: cursor) { _, feature, _ in
            TileFrame.append(CollectionOfOne(feature), to: &frame)
        }
        TileFrame.beginGone(&frame)
        let hasGone = topic.forEachTombstone(after: cursor) { key in
            TileFrame.append(goneID: self.kind.featureID(entryKey: key, of: tile), to: &frame)
        }
        guard hasEntries || hasGone else {
            frame.removeLast(frame.count - start)
            return false
        }
        TileFrame.endTile(&frame)
        return true
    }

    func appendJoined(_ pieces: [[UInt8]], of topic: Topic, to frame: inout [UInt8]) {
        let group = topic.id.key == 0 ? nil : GroupID(topic.id.key)
        TileFrame.beginFrame(layer: self.kind.name(of: group), to: &frame)
        TileFrame.append(pieces, to: &frame)
        TileFrame.endFrame(&frame)
    }
}
