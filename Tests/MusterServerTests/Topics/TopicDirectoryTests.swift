import MusterCore
import Testing

@testable import MusterServer

@Suite struct TopicDirectoryTests {
    private let group = GroupID(81)

    @Test("a shard's mirror opens with the first follower there and closes with the last")
    func lifetime() {
        var topics = TopicDirectory()
        #expect(topics.subscribe(SessionID(1), on: 0, to: self.group) == .opensMirror)
        #expect(topics.subscribe(SessionID(2), on: 0, to: self.group) == .joinsMirror)
        #expect(topics.subscribe(SessionID(3), on: 1, to: self.group) == .opensMirror)
        #expect(Set(topics.shards(mirroring: self.group)) == [0, 1])
        #expect(topics.unsubscribe(SessionID(1), from: self.group) == nil)
        #expect(topics.unsubscribe(SessionID(2), from: self.group) == 0)
        #expect(Set(topics.shards(mirroring: self.group)) == [1])
        let left = topics.remove(SessionID(3))
        #expect(left.map(\.shard) == [1])
        #expect(topics.shards(mirroring: self.group).isEmpty)
        #expect(topics.subscribe(SessionID(4), on: 1, to: self.group) == .opensMirror)
    }

    @Test("following twice, or leaving twice, is following or leaving once")
    func repeated() {
        var topics = TopicDirectory()
        _ = topics.subscribe(SessionID(1), on: 0, to: self.group)
        #expect(topics.subscribe(SessionID(1), on: 0, to: self.group) == .joinsMirror)
        #expect(topics.unsubscribe(SessionID(1), from: self.group) == 0)
        #expect(topics.unsubscribe(SessionID(1), from: self.group) == nil)
        let rest = topics.remove(SessionID(1))
        #expect(rest.isEmpty)
        #expect(topics.unsubscribe(SessionID(99), from: self.group) == nil)
    }

    @Test("a roster that is closed is mirrored nowhere, and its followers may go without a word")
    func closed() {
        var topics = TopicDirectory()
        _ = topics.subscribe(SessionID(1), on: 0, to: self.group)
        _ = topics.subscribe(SessionID(2), on: 2, to: self.group)
        _ = topics.subscribe(SessionID(2), on: 2, to: GroupID(82))
        let shards = [topics.remove(self.group), topics.remove(self.group)]
        #expect(shards == [[0, 2], []])
        let rest = [topics.remove(SessionID(1)), topics.remove(SessionID(2))]
        #expect(rest.map { $0.map(\.group) } == [[], [GroupID(82)]])
    }
}
