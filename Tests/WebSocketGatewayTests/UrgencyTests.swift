import Synchronization
import Testing

@testable import MusterClient
@testable import MusterWire
@testable import WebSocketGateway

@Suite("What is wanted soon", .serialized)
struct UrgencyTests {
    private static let id = TopicID(kind: 1, key: 81)

    private static func move(_ key: Int64, _ place: String, version: UInt64) -> TopicChange {
        TopicChange(topic: self.id, version: version, entries: [.init(key: key, volatile: Array(place.utf8))])
    }

    /// A gateway with a timer wheel so slow that no timer fires during a test.
    private static func makePatientHarness() throws -> GatewayHarness {
        try GatewayHarness { $0.timing.resolution = 20_000 }
    }

    @Test("goes out in one write with what is wanted now, in the order of the commands")
    func joined() throws {
        let harness = try Self.makePatientHarness()
        let (client, id) = try harness.connectKnown()
        let before = harness.gateway.metrics.writes
        harness.gateway.send(.send(id, frame: Array("ack".utf8), .soon), toShard: 0)
        harness.gateway.send(.send(id, frame: Array("answer".utf8)), toShard: 0)
        #expect(try client.nextText() == "ack")
        #expect(try client.nextText() == "answer")
        #expect(harness.gateway.metrics.writes == before + 1)
    }

    @Test("goes out in the same turn when the application asks for it at the end of one")
    func ownCommand() throws {
        let harness = try Self.makePatientHarness()
        let (client, id) = try harness.connectKnown()
        let (gateway, record, asked) = (harness.gateway, harness.record, Counter())
        record.actions.withLock {
            $0.iterationEnd = {
                let hasEcho = record.state.withLock { $0.received } == 2
                guard hasEcho, asked.value == 0 else { return }
                asked.add()
                gateway.send(.send(id, frame: Array("own".utf8)), toShard: 0)
            }
        }
        let before = gateway.metrics.writes
        try client.send("echo")
        #expect(try client.nextText() == "echo")
        #expect(try client.nextText() == "own")
        #expect(gateway.metrics.writes == before + 1)
    }

    @Test("goes out by itself when nothing else does")
    func alone() throws {
        let harness = try GatewayHarness()
        let (client, id) = try harness.connectKnown()
        harness.gateway.send(.send(id, frame: Array("ack".utf8), .soon), toShard: 0)
        #expect(try client.nextText() == "ack")
    }

    @Test("is what others see of oneself: it comes with the next move of somebody else")
    func ownMove() throws {
        let harness = try Self.makePatientHarness()
        let (walker, walkerID) = try harness.connectKnown()
        let (friend, friendID) = try harness.connectKnown()
        try walker.send("own 7")
        #expect(try walker.nextText() == "own 7")
        let entries = [7, 8].map { key in
            TopicEntry(key: key, stable: TopicFragment(version: 3, bytes: Array("n\(key)".utf8)))
        }
        var commands: [GatewayCommand] = [
            .openTopic(TopicSnapshot(id: Self.id, epoch: "e", version: 10, entries: entries)),
            .subscribe(walkerID, Self.id, resume: nil),
            .subscribe(friendID, Self.id, resume: nil),
        ]
        harness.gateway.send(contentsOf: &commands, toShard: 0)
        for client in [walker, friend] { #expect(try client.nextText() == "full e 10 7=n7/ 8=n8/") }
        harness.gateway.send(.updateTopic(Self.move(7, "p1", version: 11)), toShard: 0)
        #expect(try friend.nextText() == "update 11 7=/p1")
        harness.gateway.send(.updateTopic(Self.move(8, "p2", version: 12)), toShard: 0)
        #expect(try friend.nextText() == "update 12 8=/p2")
        #expect(try walker.nextText() == "update 12 7=/p1 8=/p2")
    }

    @Test("is wanted now as soon as somebody else moves in the same turn, whoever moved first")
    func moversOfOneIteration() throws {
        let harness = try Self.makePatientHarness()
        let (walker, walkerID) = try harness.connectKnown()
        let (friend, friendID) = try harness.connectKnown()
        for (client, key) in [(walker, 7), (friend, 8)] {
            try client.send("own \(key)")
            #expect(try client.nextText() == "own \(key)")
        }
        var commands: [GatewayCommand] = [
            .openTopic(TopicSnapshot(id: Self.id, epoch: "e", version: 10, entries: [])),
            .subscribe(walkerID, Self.id, resume: nil),
            .subscribe(friendID, Self.id, resume: nil),
        ]
        harness.gateway.send(contentsOf: &commands, toShard: 0)
        for client in [walker, friend] { #expect(try client.nextText() == "full e 10") }
        commands = [
            .updateTopic(Self.move(7, "p1", version: 11)), .updateTopic(Self.move(7, "p2", version: 12)),
            .updateTopic(Self.move(8, "p3", version: 13)), .updateTopic(Self.move(8, "p4", version: 14)),
        ]
        harness.gateway.send(contentsOf: &commands, toShard: 0)
        for client in [walker, friend] { #expect(try client.nextText() == "update 14 7=/p2 8=/p4") }
    }

    @Test("does not hold back what changes about oneself beyond the place")
    func ownProfile() throws {
        let harness = try Self.makePatientHarness()
        let (client, id) = try harness.connectKnown()
        try client.send("own 7")
        _ = try client.nextText()
        var commands: [GatewayCommand] = [
            .openTopic(TopicSnapshot(id: Self.id, epoch: "e", version: 10, entries: [])),
            .subscribe(id, Self.id, resume: nil),
        ]
        harness.gateway.send(contentsOf: &commands, toShard: 0)
        #expect(try client.nextText() == "full e 10")
        let before = harness.gateway.metrics.writes
        let profile = TopicChange(topic: Self.id, version: 11, entries: [.init(key: 7, stable: Array("Ada".utf8))])
        harness.gateway.send(.updateTopic(profile), toShard: 0)
        #expect(try client.nextText() == "update 11 7=Ada/")
        #expect(harness.gateway.metrics.writes == before + 1)
    }
}
