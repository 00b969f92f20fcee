import Testing

@testable import MusterServer
@testable import WebSocketGateway

@Suite struct TopicDirectoryTests {
    private let topic = TopicID(kind: 1, key: 81)

    @Test("a shard's mirror opens with the first follower there and closes when the shard has none left")
    func lifetime() {
        var topics = TopicDirectory()
        let first = topics.subscribe(to: self.topic, on: 0)
        let second = topics.subscribe(to: self.topic, on: 0)
        let other = topics.subscribe(to: self.topic, on: 1)
        #expect([first, second, other].map(\.opensMirror) == [true, false, true])
        #expect(Set(topics.shards(mirroring: self.topic)) == [0, 1])
        let closesFirst = topics.unfollow(self.topic, on: 0, since: second.number)
        #expect(closesFirst)
        #expect(Set(topics.shards(mirroring: self.topic)) == [1])
        let closesOther = topics.unfollow(self.topic, on: 1, since: other.number)
        #expect(closesOther)
        #expect(topics.shards(mirroring: self.topic).isEmpty)
        let again = topics.subscribe(to: self.topic, on: 1)
        #expect(again.opensMirror)
    }

    @Test("a mirror stays while a subscription is on its way that the shard does not know of yet")
    func crossing() {
        var topics = TopicDirectory()
        let first = topics.subscribe(to: self.topic, on: 2)
        let second = topics.subscribe(to: self.topic, on: 2)
        let closes = [first, second, second].map { topics.unfollow(self.topic, on: 2, since: $0.number) }
        #expect(closes == [false, true, false])
        let closesUnknown = topics.unfollow(TopicID(kind: 1, key: 81, part: 1), on: 9, since: 0)
        #expect(!closesUnknown)
    }

    @Test("a topic that is closed is mirrored nowhere, and what is said of it later is about nothing")
    func closed() {
        var topics = TopicDirectory()
        let old = topics.subscribe(to: self.topic, on: 0)
        _ = topics.subscribe(to: self.topic, on: 2)
        let shards = [topics.remove(self.topic), topics.remove(self.topic)]
        #expect(shards == [[0, 2], []])
        let again = topics.subscribe(to: self.topic, on: 0)
        #expect(again.opensMirror)
        let closes = topics.unfollow(self.topic, on: 0, since: old.number)
        #expect(!closes)
        #expect(Array(topics.shards(mirroring: self.topic)) == [0])
    }
}
