import Testing
import WebSocketGateway

@testable import MusterServer

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
        #expect(topics.unfollow(self.topic, on: 0, since: second.number))
        #expect(Set(topics.shards(mirroring: self.topic)) == [1])
        #expect(topics.unfollow(self.topic, on: 1, since: other.number))
        #expect(topics.shards(mirroring: self.topic).isEmpty)
        #expect(topics.subscribe(to: self.topic, on: 1).opensMirror)
    }

    @Test("a mirror stays while a subscription is on its way that the shard does not know of yet")
    func crossing() {
        var topics = TopicDirectory()
        let first = topics.subscribe(to: self.topic, on: 2)
        let second = topics.subscribe(to: self.topic, on: 2)
        #expect(!topics.unfollow(self.topic, on: 2, since: first.number))
        #expect(topics.unfollow(self.topic, on: 2, since: second.number))
        #expect(!topics.unfollow(self.topic, on: 2, since: second.number), "said twice")
        #expect(!topics.unfollow(TopicID(kind: 1, key: 81, part: 1), on: 9, since: 0))
    }

    @Test("a topic that is closed is mirrored nowhere, and what is said of it later is about nothing")
    func closed() {
        var topics = TopicDirectory()
        let old = topics.subscribe(to: self.topic, on: 0)
        _ = topics.subscribe(to: self.topic, on: 2)
        let shards = [topics.remove(self.topic), topics.remove(self.topic)]
        #expect(shards == [[0, 2], []])
        #expect(topics.subscribe(to: self.topic, on: 0).opensMirror)
        #expect(!topics.unfollow(self.topic, on: 0, since: old.number))
        #expect(Array(topics.shards(mirroring: self.topic)) == [0])
    }
}
