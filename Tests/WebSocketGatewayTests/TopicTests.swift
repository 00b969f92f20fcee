import Testing

@testable import WebSocketGateway

@Suite("Topic mirrors")
struct TopicTests {
    private static let id = TopicID(kind: 1, key: 81)

    private static func snapshot(version: UInt64 = 1, keys: ClosedRange<Int64> = 1...3) -> TopicSnapshot {
        TopicSnapshot(
            id: self.id,
            epoch: "e",
            version: version,
            entries: keys.map { key in
                TopicEntry(
                    key: key,
                    stable: TopicFragment(version: version, bytes: Array("s".utf8)),
                    volatile: TopicFragment(version: version, bytes: Array("v".utf8))
                )
            }
        )
    }

    private static func text(_ write: (inout [UInt8]) -> Void) -> String {
        var bytes: [UInt8] = []
        write(&bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test("a difference carries only the fragments that are newer")
    func fragments() {
        var topic = Topic(Self.snapshot())
        topic.apply(TopicChange(topic: Self.id, version: 2, entries: [.init(key: 2, volatile: Array("V".utf8))]))
        topic.apply(TopicChange(topic: Self.id, version: 3, entries: [.init(key: 3, stable: Array("S".utf8))]))
        let format = LineFormat()
        #expect(
            Self.text { format.appendDifference(topic, for: TopicCursor(version: 1), to: &$0) }
                == "difference e 3 2=/V 3=S/"
        )
        #expect(
            Self.text { format.appendDifference(topic, for: TopicCursor(version: 2), to: &$0) } == "difference e 3 3=S/"
        )
        #expect(Self.text { format.appendDifference(topic, for: TopicCursor(version: 3), to: &$0) } == "difference e 3")
    }

    @Test("a change that is not newer changes nothing")
    func staleChange() {
        var topic = Topic(Self.snapshot(version: 5))
        let wasApplied = topic.apply(TopicChange(topic: Self.id, version: 5, removed: [1]))
        #expect(!wasApplied)
        #expect(topic.entries.count == 3)
    }

    @Test("who left and came back is no longer gone")
    func rejoined() {
        var topic = Topic(Self.snapshot())
        topic.apply(TopicChange(topic: Self.id, version: 2, removed: [2]))
        topic.apply(TopicChange(topic: Self.id, version: 3, entries: [.init(key: 2, stable: Array("new".utf8))]))
        #expect(topic.tombstones.isEmpty)
        #expect(topic.entries.map(\.key) == [1, 3, 2])
    }

    @Test("tombstones are bounded, and what fell out of them is not resumed")
    func floor() {
        var topic = Topic(Self.snapshot(keys: 1...2000))
        for key in 1...1500 {
            topic.apply(TopicChange(topic: Self.id, version: UInt64(key + 1), removed: [Int64(key)]))
        }
        #expect(topic.tombstones.count == Topic.maximumTombstones)
        #expect(!topic.canResume(from: TopicPosition(epoch: "e", version: 1)))
        #expect(!topic.canResume(from: TopicPosition(epoch: "e", version: topic.floor - 1)))
        #expect(topic.canResume(from: TopicPosition(epoch: "e", version: topic.floor)))
        #expect(topic.canResume(from: TopicPosition(epoch: "e", version: topic.version + 1)), "once it has got there")
        #expect(!topic.canResume(from: TopicPosition(epoch: "other", version: topic.version)))
    }

    @Test("from any version on, entries and tombstones lead a copy to the topic", arguments: 0..<20 as Range<UInt64>)
    func convergence(seed: UInt64) {
        var random = SplitMix(state: seed)
        var topic = Topic(TopicSnapshot(id: Self.id, epoch: "e", version: 0, entries: []))
        var history: [UInt64: [Int64: String]] = [0: [:]]
        for version in 1...200 as ClosedRange<UInt64> {
            let key = Int64.random(in: 0..<12, using: &random)
            if Int.random(in: 0..<3, using: &random) == 0 {
                topic.apply(TopicChange(topic: Self.id, version: version, removed: [key]))
            } else {
                let bytes = Array("\(version)".utf8)
                topic.apply(TopicChange(topic: Self.id, version: version, entries: [.init(key: key, stable: bytes)]))
            }
            history[version] = Self.copy(topic)
        }
        for (version, copy) in history {
            var copy = copy
            topic.forEachEntry(after: TopicCursor(version: version)) { key, stable, _ in
                copy[key] = String(decoding: stable, as: UTF8.self)
            }
            topic.forEachTombstone(after: TopicCursor(version: version)) { copy[$0] = nil }
            #expect(copy == Self.copy(topic), "from version \(version), seed \(seed)")
        }
    }

    private static func copy(_ topic: Topic) -> [Int64: String] {
        var copy: [Int64: String] = [:]
        for entry in topic.entries { copy[entry.key] = String(decoding: entry.stable.bytes, as: UTF8.self) }
        return copy
    }
}

/// A small generator with a seed (Steele, Lea and Flood, 2014).
struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        self.state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = self.state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }
}
