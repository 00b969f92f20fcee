package import MusterCore
import MusterWire
package import WebSocketGateway

/// A map tile as a topic of the gateway: features are entries of one piece, under their entry keys.
package struct TileTopic: TopicKind {
    /// What the numbers of kinds of layers are raised by, to be numbers of kinds of topics.
    private static let firstNumber: UInt8 = 16
    /// The life of all versions: those of the atlas rise as long as the process lives.
    private static let epoch = "a"

    /// Tiles that change at a tick change together; what is told of them is few, so that nothing need wait.
    package let rules = TopicRules(memory: .everything, pacing: .atOnce, joinsTopics: true)

    private let kind: LayerKind

    /// The topics of a kind of layers.
    package init(_ kind: LayerKind) { self.kind = kind }

    /// The number of the topics of a kind of layers.
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

    // MARK: - What the gateway mirrors

    /// All of a tile, encoded.
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

    /// A step of a tile, encoded.
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

    // MARK: - What clients read

    package func appendReset(_ topic: Topic, for cursor: TopicCursor, to frame: inout [UInt8]) {
        TileFrame.beginTile(Self.tile(of: topic), version: topic.version, isFull: true, to: &frame)
        TileFrame.append(topic.entries.lazy.map(\.stable.bytes), to: &frame)
        TileFrame.beginGone(&frame)
        TileFrame.endTile(&frame)
    }

    package func appendUpdate(_ topic: Topic, for cursor: TopicCursor, to frame: inout [UInt8]) -> Bool {
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

    package func appendJoined(_ pieces: [[UInt8]], of topic: Topic, to frame: inout [UInt8]) {
        let group = topic.id.key == 0 ? nil : GroupID(topic.id.key)
        TileFrame.beginFrame(layer: self.kind.name(of: group), to: &frame)
        TileFrame.append(pieces, to: &frame)
        TileFrame.endFrame(&frame)
    }
}
