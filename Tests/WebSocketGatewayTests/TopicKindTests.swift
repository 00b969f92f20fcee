import Testing

@testable import WebSocketGateway

@Suite("Kinds of topics side by side")
struct TopicKindTests {
    private let room = TopicID(kind: MemoryHarness.log, key: 81)

    private func write(_ version: UInt64, _ entries: [Int64: String]) -> GatewayCommand {
        .updateTopic(MemoryHarness.change(self.room, version, entries))
    }

    private func at(_ version: UInt64, from lowestKey: Int64 = .min, epoch: String = "e") -> TopicSubscription {
        TopicSubscription(resume: TopicPosition(epoch: epoch, version: version), lowestKey: lowestKey)
    }

    /// Opens a room at version 10 with an empty mirror.
    private func openRoom(_ harness: MemoryHarness) {
        harness.send(.openTopic(TopicSnapshot(id: self.room, epoch: "e", version: 10, entries: [], floor: 10)))
    }

    @Test("a log's followers get what comes next, all in the same frame")
    func logUpdates() {
        let harness = MemoryHarness()
        self.openRoom(harness)
        let clients = (0..<3).map { _ in harness.shard.connect() }
        for client in clients { harness.send(.subscribe(client.id, self.room)) }
        for client in clients { #expect(client.read() == [], "newcomers start with what comes next") }
        harness.send(self.write(11, [7: "one"]), self.write(12, [8: "two"]))
        for client in clients { #expect(client.read() == ["log 10-12 7:one 8:two"]) }
        #expect(harness.logs.joins.value == 1)
    }

    @Test("who is behind the tail gets the kind's own word, and goes on from there")
    func gap() {
        let harness = MemoryHarness()
        self.openRoom(harness)
        let (early, late, stranger) = (harness.shard.connect(), harness.shard.connect(), harness.shard.connect())
        harness.send(
            self.write(11, [1: "a"]),
            self.write(12, [2: "b"]),
            self.write(13, [3: "c"]),
            self.write(14, [4: "d"])
        )
        harness.send(
            .subscribe(early.id, self.room, self.at(10)),
            .subscribe(late.id, self.room, self.at(11)),
            .subscribe(stranger.id, self.room, self.at(13, epoch: "older"))
        )
        #expect(early.read() == ["gap e 14"], "the first of four entries is forgotten")
        #expect(late.read() == ["log 11-14 2:b 3:c 4:d"])
        #expect(stranger.read() == ["gap e 14"])
        harness.send(self.write(15, [5: "e"]))
        for client in [early, late, stranger] { #expect(client.read() == ["log 14-15 5:e"]) }
    }

    @Test("the tail is bounded in bytes too, and an edit is among the newest again")
    func tailBounds() {
        let harness = MemoryHarness()
        self.openRoom(harness)
        harness.send(self.write(11, [1: "first"]), self.write(12, [2: "second"]), self.write(13, [1: "edited"]))
        let reader = harness.shard.connect()
        harness.send(.subscribe(reader.id, self.room, self.at(11)))
        #expect(reader.read() == ["log 11-13 2:second 1:edited"])
        harness.send(self.write(14, [3: String(repeating: "x", count: 30)]))
        #expect(reader.read() == ["log 13-14 3:" + String(repeating: "x", count: 30)])
        let (kept, lost) = (harness.shard.connect(), harness.shard.connect())
        harness.send(.subscribe(kept.id, self.room, self.at(12)), .subscribe(lost.id, self.room, self.at(11)))
        #expect(kept.read() == ["log 12-14 1:edited 3:" + String(repeating: "x", count: 30)])
        #expect(lost.read() == ["gap e 14"], "36 of 40 bytes are those of the two newest")
    }

    @Test("the tail is forgotten a minute after the last entry")
    func tailEnds() {
        let harness = MemoryHarness()
        self.openRoom(harness)
        let present = harness.shard.connect()
        harness.send(.subscribe(present.id, self.room), self.write(11, [1: "a"]))
        harness.pass(milliseconds: 59_000)
        let inTime = harness.shard.connect()
        harness.send(.subscribe(inTime.id, self.room, self.at(10)))
        #expect(inTime.read() == ["log 10-11 1:a"])
        harness.pass(milliseconds: 2000)
        let late = harness.shard.connect()
        harness.send(.subscribe(late.id, self.room, self.at(10)))
        #expect(late.read() == ["gap e 11"])
        harness.send(self.write(12, [2: "b"]))
        #expect(present.read() == ["log 10-11 1:a", "log 11-12 2:b"], "who is up to date notices nothing")
    }

    @Test("a subscriber ahead of its mirror waits until it has got there")
    func ahead() {
        let harness = MemoryHarness()
        self.openRoom(harness)
        let reader = harness.shard.connect()
        harness.send(.subscribe(reader.id, self.room, self.at(12)))
        harness.send(self.write(11, [1: "a"]))
        harness.send(self.write(12, [2: "b"]))
        #expect(reader.read() == [])
        harness.send(self.write(13, [3: "c"]))
        #expect(reader.read() == ["log 12-13 3:c"])
        let list = TopicID(kind: MemoryHarness.list, key: 81)
        harness.send(
            .openTopic(TopicSnapshot(id: list, epoch: "e", version: 10, entries: [])),
            .subscribe(reader.id, list, self.at(12))
        )
        harness.send(.updateTopic(MemoryHarness.change(list, 11, [7: "Ada"])))
        #expect(reader.read() == [])
        harness.send(.updateTopic(MemoryHarness.change(list, 13, [8: "Bo"])))
        #expect(reader.read() == ["difference e 13 8=Bo/"])
    }

    @Test("who waits for a mirror to get there starts anew when the topic does")
    func aheadOfAnotherEpoch() {
        let harness = MemoryHarness()
        self.openRoom(harness)
        let list = TopicID(kind: MemoryHarness.list, key: 81)
        let reader = harness.shard.connect()
        harness.send(
            .openTopic(TopicSnapshot(id: list, epoch: "e", version: 10, entries: [])),
            .subscribe(reader.id, list, self.at(12)),
            .subscribe(reader.id, self.room, self.at(12))
        )
        harness.send(.openTopic(TopicSnapshot(id: list, epoch: "f", version: 3, entries: [])))
        #expect(reader.read() == ["full f 3"])
        harness.send(.openTopic(TopicSnapshot(id: self.room, epoch: "f", version: 1, entries: [])))
        #expect(reader.read() == ["gap f 1"])
    }

    @Test("nobody sees keys below its lowest, and all share a frame when there is nothing to hide")
    func lowestKey() {
        let harness = MemoryHarness()
        self.openRoom(harness)
        let (old, newcomer) = (harness.shard.connect(), harness.shard.connect())
        harness.send(
            .subscribe(old.id, self.room),
            .subscribe(newcomer.id, self.room, TopicSubscription(lowestKey: 5))
        )
        harness.send(self.write(11, [5: "five"]))
        for client in [old, newcomer] { #expect(client.read() == ["log 10-11 5:five"]) }
        #expect(harness.logs.joins.value == 1)
        harness.send(self.write(12, [4: "edited"]), self.write(13, [6: "six"]))
        #expect(old.read() == ["log 11-13 4:edited 6:six"])
        #expect(newcomer.read() == ["log 11-13 6:six"])
    }

    @Test("a slow reader of a log is told what it missed, or that it missed too much")
    func slowReader() {
        let harness = MemoryHarness()
        self.openRoom(harness)
        let (slow, slower) = (harness.shard.connect(), harness.shard.connect())
        harness.send(.subscribe(slow.id, self.room), .subscribe(slower.id, self.room))
        for client in [slow, slower] { client.acceptsBytes = false }
        harness.send(self.write(11, [1: "a"]))
        harness.send(self.write(12, [2: "b"]))
        harness.send(self.write(13, [3: "c"]))
        slow.acceptsBytes = true
        harness.send()
        #expect(slow.read() == ["log 10-11 1:a", "log 11-13 2:b 3:c"])
        for version in 14...20 as ClosedRange<UInt64> { harness.send(self.write(version, [Int64(version): "x"])) }
        slower.acceptsBytes = true
        harness.send()
        #expect(slower.read() == ["log 10-11 1:a", "gap e 20"])
    }

    @Test("newest only: what a slow client missed is not told, nor what was before one came")
    func newestOnly() {
        let harness = MemoryHarness()
        let typing = TopicID(kind: MemoryHarness.typing, key: 81)
        harness.send(.openTopic(TopicSnapshot(id: typing, epoch: "e", version: 1, entries: [])))
        let (quick, slow) = (harness.shard.connect(), harness.shard.connect())
        harness.send(.subscribe(quick.id, typing), .subscribe(slow.id, typing))
        slow.acceptsBytes = false
        for version in 2...4 as ClosedRange<UInt64> {
            harness.send(.updateTopic(MemoryHarness.change(typing, version, [Int64(version): ""])))
        }
        let newcomer = harness.shard.connect()
        harness.send(.subscribe(newcomer.id, typing, self.at(3, epoch: "older")))
        slow.acceptsBytes = true
        harness.send()
        #expect(quick.read() == ["typing 2", "typing 3", "typing 4"])
        #expect(slow.read() == ["typing 2", "typing 4"])
        #expect(newcomer.read() == [])
        harness.send(.updateTopic(MemoryHarness.change(typing, 5, [:])))
        for client in [quick, slow, newcomer] { #expect(client.read() == ["typing "]) }
    }

    @Test("topics of one layer share a frame of a session, whatever each of them has to tell")
    func joinedTopics() {
        let harness = MemoryHarness()
        let cells = (8...10).map { TopicID(kind: MemoryHarness.cells, key: 5, part: $0) }
        let other = TopicID(kind: MemoryHarness.cells, key: 6, part: 8)
        let client = harness.shard.connect()
        for cell in cells + [other] {
            let entry = TopicEntry(key: cell.part, stable: TopicFragment(version: 1, bytes: []))
            harness.send(.openTopic(TopicSnapshot(id: cell, epoch: "e", version: 1, entries: [entry])))
        }
        for cell in cells + [other] { harness.shard.mailboxes.send(.subscribe(client.id, cell), toShard: 0) }
        harness.shard.iterate()
        #expect(client.read() == ["cells 5 [8: 8] [9: 9] [10: 10]", "cells 6 [8: 8]"])
        harness.send(
            .updateTopic(MemoryHarness.change(cells[2], 2, [:], removed: [10])),
            .updateTopic(MemoryHarness.change(cells[0], 2, [3: ""]))
        )
        #expect(client.read() == ["cells 5 [10: -10] [8: 3]"])
    }

    @Test("who has no entry in a topic of members is told nothing, from its addition on everything")
    func followersAreEntries() {
        let harness = MemoryHarness()
        let group = TopicID(kind: MemoryHarness.members, key: 81)
        let (ada, bo) = (harness.shard.connect(), harness.shard.connect())
        ada.connection.followerKey = 7
        bo.connection.followerKey = 8
        let entry = TopicEntry(key: 7, stable: TopicFragment(version: 1, bytes: Array("Ada".utf8)))
        harness.send(
            .openTopic(TopicSnapshot(id: group, epoch: "e", version: 1, entries: [entry])),
            .subscribe(ada.id, group),
            .subscribe(bo.id, group)
        )
        #expect(ada.read() == ["full e 1 7=Ada/"])
        #expect(bo.read() == [])
        harness.send(.updateTopic(MemoryHarness.change(group, 2, [8: "Bo"])))
        #expect(ada.read() == ["update 2 8=Bo/"])
        #expect(bo.read() == ["full e 2 7=Ada/ 8=Bo/"])
        harness.send(.updateTopic(MemoryHarness.change(group, 3, [7: "Ada L."], removed: [8])))
        #expect(ada.read() == ["update 3 7=Ada L./ -8"])
        #expect(bo.read() == [], "the removal ends it in the very change")
    }

    @Test("a shard says when nobody follows a topic any more, and which subscriptions it knows of")
    func unfollowed() {
        let harness = MemoryHarness()
        self.openRoom(harness)
        let (one, other) = (harness.shard.connect(), harness.shard.connect())
        harness.send(
            .subscribe(one.id, self.room, TopicSubscription(number: 1)),
            .subscribe(other.id, self.room, TopicSubscription(number: 2)),
            .unsubscribe(one.id, self.room)
        )
        #expect(harness.record.unfollowed.isEmpty)
        harness.shard.end(other)
        #expect(harness.record.unfollowed.map(\.number) == [2])
        // Sent before the client's disconnect is known.
        harness.send(.subscribe(other.id, self.room, TopicSubscription(number: 3)))
        #expect(harness.record.unfollowed.map(\.number) == [2, 3])
        #expect(harness.record.unfollowed.allSatisfy { $0.topic == self.room })
        harness.send(.subscribe(one.id, self.room, TopicSubscription(number: 4)), .closeTopic(self.room))
        #expect(harness.record.unfollowed.count == 2, "who closes a topic knows it")
    }
}
