import EventLoop
import Testing

@testable import MusterClient
@testable import MusterWire
@testable import WebSocketGateway

@Suite("Topics that were written a moment ago", .serialized)
struct TopicPacingTests {
    private static let id = TopicID(kind: 1, key: 82)
    private static let lastsLong: Int64 = 600_000_000_000

    private static func move(_ key: Int64, _ place: String, version: UInt64) -> TopicChange {
        TopicChange(topic: self.id, version: version, entries: [.init(key: key, volatile: Array(place.utf8))])
    }

    /// A gateway with a throttle interval of `rest` nanoseconds after each write, regardless of its cost.
    private static func makeHarness(rest: Int64) throws -> GatewayHarness {
        try GatewayHarness { $0.timing.topicPacer = Pacer(share: rest, shortest: 0, longest: rest) }
    }

    /// Subscribes a client to the topic, which is empty at version 10, and starts its throttle interval with a first
    /// move.
    private static func subscribe(
        _ client: BlockingWebSocket,
        _ id: ConnectionID,
        _ harness: borrowing GatewayHarness
    ) throws {
        var commands: [GatewayCommand] = [
            .openTopic(TopicSnapshot(id: self.id, epoch: "e", version: 10, entries: [])),
            .subscribe(id, self.id, resume: nil),
        ]
        harness.gateway.send(contentsOf: &commands, toShard: 0)
        #expect(try client.nextText() == "full e 10")
        harness.gateway.send(.updateTopic(self.move(7, "p1", version: 11)), toShard: 0)
        #expect(try client.nextText() == "update 11 7=/p1")
    }

    @Test("rest, and tell afterwards in one frame what moved meanwhile")
    func afterwards() throws {
        let harness = try Self.makeHarness(rest: 300_000_000)
        let (client, id) = try harness.connectKnown()
        try Self.subscribe(client, id, harness)
        let before = harness.gateway.metrics.writes
        for version in 12...14 as ClosedRange<UInt64> {
            harness.gateway.send(.updateTopic(Self.move(7, "p\(version)", version: version)), toShard: 0)
        }
        harness.gateway.send(.updateTopic(Self.move(8, "q", version: 15)), toShard: 0)
        #expect(try client.nextText() == "update 15 7=/p14 8=/q")
        #expect(harness.gateway.metrics.writes == before + 1)
    }

    @Test("tell what moved ahead of an answer that came later")
    func beforeAnswers() throws {
        let harness = try Self.makeHarness(rest: Self.lastsLong)
        let (client, id) = try harness.connectKnown()
        try Self.subscribe(client, id, harness)
        let before = harness.gateway.metrics.writes
        harness.gateway.send(.updateTopic(Self.move(7, "p2", version: 12)), toShard: 0)
        harness.gateway.send(.send(id, frame: Array("answer".utf8)), toShard: 0)
        #expect(try client.nextText() == "update 12 7=/p2")
        #expect(try client.nextText() == "answer")
        #expect(harness.gateway.metrics.writes == before + 1)
    }

    @Test("tell at once what is more than a move, and what moved with it")
    func moreThanMoves() throws {
        let harness = try Self.makeHarness(rest: Self.lastsLong)
        let (client, id) = try harness.connectKnown()
        try Self.subscribe(client, id, harness)
        harness.gateway.send(.updateTopic(Self.move(8, "q", version: 12)), toShard: 0)
        harness.gateway.send(.updateTopic(TopicChange(topic: Self.id, version: 13, removed: [7])), toShard: 0)
        #expect(try client.nextText() == "update 13 8=/q -7")
        let note = TopicChange.Note(frame: Array("met".utf8), summary: [])
        harness.gateway.send(.updateTopic(TopicChange(topic: Self.id, version: 14, note: note)), toShard: 0)
        #expect(try client.nextText() == "met")
    }

    @Test("tell who comes meanwhile all of it, and the others when they end")
    func newcomers() throws {
        let harness = try Self.makeHarness(rest: Self.lastsLong)
        let (client, id) = try harness.connectKnown()
        try Self.subscribe(client, id, harness)
        let (newcomer, newcomerID) = try harness.connectKnown()
        harness.gateway.send(.updateTopic(Self.move(7, "p2", version: 12)), toShard: 0)
        harness.gateway.send(.subscribe(newcomerID, Self.id, resume: nil), toShard: 0)
        #expect(try newcomer.nextText() == "full e 12 7=/p2")
        harness.gateway.send(.close(id, .normal), toShard: 0)
        #expect(try client.nextText() == "update 12 7=/p2")
    }

    @Test("can be closed while something moved that nobody was told")
    func closed() throws {
        let harness = try Self.makeHarness(rest: 100_000_000)
        let (client, id) = try harness.connectKnown()
        try Self.subscribe(client, id, harness)
        var commands: [GatewayCommand] = [
            .updateTopic(Self.move(7, "p2", version: 12)), .closeTopic(Self.id),
            .openTopic(TopicSnapshot(id: Self.id, epoch: "f", version: 3, entries: [])),
            .subscribe(id, Self.id, resume: nil),
        ]
        harness.gateway.send(contentsOf: &commands, toShard: 0)
        #expect(try client.nextText() == "full f 3")
        for version in 4...5 as ClosedRange<UInt64> {
            harness.gateway.send(.updateTopic(Self.move(7, "q\(version)", version: version)), toShard: 0)
            #expect(try client.nextText() == "update \(version) 7=/q\(version)")
        }
    }
}
