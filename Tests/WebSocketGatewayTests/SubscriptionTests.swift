import EventLoop
import Testing

@testable import MusterClient
@testable import MusterWire
@testable import WebSocketGateway

@Suite("Topics over sockets", .serialized)
struct SubscriptionTests {
    private static let id = TopicID(kind: 1, key: 81)

    private static func snapshot(note: String? = nil) -> TopicSnapshot {
        TopicSnapshot(
            id: self.id,
            epoch: "e",
            version: 10,
            entries: [
                TopicEntry(
                    key: 7,
                    stable: TopicFragment(version: 3, bytes: Array("Ada".utf8)),
                    volatile: TopicFragment(version: 10, bytes: Array("p1".utf8))
                ),
                TopicEntry(key: 8, stable: TopicFragment(version: 5, bytes: Array("Bo".utf8))),
            ],
            tombstones: [TopicTombstone(key: 9, version: 6)],
            floor: 4,
            note: note.map { TopicNote(version: 8, frame: Array("note \($0)".utf8), summary: Array($0.utf8)) }
        )
    }

    private static func move(_ key: Int64, _ place: String, version: UInt64) -> TopicChange {
        TopicChange(topic: self.id, version: version, entries: [.init(key: key, volatile: Array(place.utf8))])
    }

    @Test("answers and topic frames come in the order of the commands")
    func order() throws {
        let harness = try GatewayHarness()
        let (client, id) = try harness.connectKnown()
        var commands: [GatewayCommand] = [
            .openTopic(Self.snapshot(note: "together")),
            .send(id, frame: Array("ok".utf8)),
            .subscribe(id, Self.id, resume: nil),
            .send(id, frame: Array("notification".utf8)),
        ]
        harness.gateway.send(contentsOf: &commands, toShard: id.shard)
        #expect(try client.nextText() == "ok")
        #expect(try client.nextText() == "full e 10 7=Ada/p1 8=Bo/ note:together")
        #expect(try client.nextText() == "notification")
    }

    @Test("an update carries what changed, a removal its key, and a note comes after it")
    func updates() throws {
        let harness = try GatewayHarness()
        let (client, id) = try harness.connectKnown()
        var commands: [GatewayCommand] = [
            .openTopic(Self.snapshot()), .subscribe(id, Self.id, resume: nil),
        ]
        harness.gateway.send(contentsOf: &commands, toShard: 0)
        _ = try client.nextText()
        harness.gateway.send(.updateTopic(Self.move(8, "p2", version: 11)), toShard: 0)
        #expect(try client.nextText() == "update 11 8=/p2")
        harness.gateway.send(
            .updateTopic(
                TopicChange(
                    topic: Self.id,
                    version: 12,
                    removed: [7],
                    note: .init(frame: Array("note moved".utf8), summary: Array("moved".utf8))
                )
            ),
            toShard: 0
        )
        #expect(try client.nextText() == "update 12 -7")
        #expect(try client.nextText() == "note moved")
        // A note alone needs no update.
        harness.gateway.send(
            .updateTopic(
                TopicChange(
                    topic: Self.id,
                    version: 13,
                    note: .init(frame: Array("note ended".utf8), summary: [])
                )
            ),
            toShard: 0
        )
        #expect(try client.nextText() == "note ended")
        harness.gateway.send(.unsubscribe(id, Self.id), toShard: 0)
        harness.gateway.send(.updateTopic(Self.move(8, "p3", version: 14)), toShard: 0)
        harness.gateway.send(.send(id, frame: Array("end".utf8)), toShard: 0)
        #expect(try client.nextText() == "end")
    }

    @Test(
        "a resume gets the difference when it still means something, else everything",
        arguments: [
            (TopicPosition(epoch: "e", version: 5), "difference e 10 7=/p1 -9"),
            (TopicPosition(epoch: "e", version: 10), "difference e 10"),
            (TopicPosition(epoch: "e", version: 3), "full e 10 7=Ada/p1 8=Bo/"),
            (TopicPosition(epoch: "old", version: 5), "full e 10 7=Ada/p1 8=Bo/"),
        ]
    )
    func resume(position: TopicPosition, expected: String) throws {
        let harness = try GatewayHarness()
        let (client, id) = try harness.connectKnown()
        var commands: [GatewayCommand] = [
            .openTopic(Self.snapshot()), .subscribe(id, Self.id, resume: position),
        ]
        harness.gateway.send(contentsOf: &commands, toShard: 0)
        #expect(try client.nextText() == expected)
    }

    @Test("changes of one turn become one update, the same for all")
    func conflationWithinIteration() throws {
        let harness = try GatewayHarness()
        let members = try (0..<5).map { _ in try harness.connectKnown() }
        var commands: [GatewayCommand] = [.openTopic(Self.snapshot())]
        commands += members.map { .subscribe($0.id, Self.id, resume: nil) }
        harness.gateway.send(contentsOf: &commands, toShard: 0)
        for member in members { _ = try member.client.nextText() }
        commands = (11...40).map { .updateTopic(Self.move(8, "p\($0)", version: $0)) }
        harness.gateway.send(contentsOf: &commands, toShard: 0)
        for member in members { #expect(try member.client.nextText() == "update 40 8=/p40") }
        #expect(harness.format.joins.value == 1, "five sessions that have the same share one frame")
    }

    @Test("a client that does not read gets the newest state later, never a backlog, and others do not wait")
    func slowReader() throws {
        let harness = try GatewayHarness()
        let (slow, slowID) = try harness.connectKnown(receiveBuffer: 4096)
        let (quick, quickID) = try harness.connectKnown()
        var commands: [GatewayCommand] = [
            .openTopic(Self.snapshot()),
            .subscribe(slowID, Self.id, resume: nil),
            .subscribe(quickID, Self.id, resume: nil),
        ]
        harness.gateway.send(contentsOf: &commands, toShard: 0)
        _ = try quick.nextText()
        // 1,000 updates of 20 KB are far more than the kernel buffers for a client that does not read.
        let rounds: UInt64 = 1000
        let ballast = String(repeating: "x", count: 20_000)
        for version in 11...(10 + rounds) {
            let place = "\(version):\(ballast)"
            harness.gateway.send(.updateTopic(Self.move(8, place, version: version)), toShard: 0)
            #expect(try quick.nextText() == "update \(version) 8=/\(place)")
        }
        var frames = 0
        var last = ""
        while !last.hasPrefix("update \(10 + rounds) ") {
            last = try slow.nextText()
            frames += 1
        }
        #expect(frames < Int(rounds) / 2, "\(frames) frames")
        // Afterwards the client is up to date like all others.
        harness.gateway.send(.updateTopic(Self.move(7, "p", version: 5000)), toShard: 0)
        #expect(try slow.nextText() == "update 5000 7=/p")
    }

    @Test("answers that pile up for a client that does not read close it with 4413")
    func tooManyAnswers() throws {
        let harness = try GatewayHarness()
        let (client, id) = try harness.connectKnown(receiveBuffer: 4096)
        let answer = [UInt8](repeating: 0x61, count: 100_000)
        for _ in 0..<200 { harness.gateway.send(.send(id, frame: answer), toShard: 0) }
        #expect(harness.eventually { harness.record.closed.first?.code == .tooSlow })
        withExtendedLifetime(client) {}
    }

    @Test("a client that takes nothing for the deadline is closed with 4413")
    func writeDeadline() throws {
        let harness = try GatewayHarness { $0.timing.writeDeadline = 200 }
        let (client, id) = try harness.connectKnown(receiveBuffer: 4096)
        harness.gateway.send(.openTopic(Self.snapshot()), toShard: 0)
        harness.gateway.send(.subscribe(id, Self.id, resume: nil), toShard: 0)
        let place = String(repeating: "x", count: 8_000_000)
        harness.gateway.send(.updateTopic(Self.move(8, place, version: 11)), toShard: 0)
        #expect(harness.eventually { harness.record.closed.first?.code == .tooSlow })
        withExtendedLifetime(client) {}
    }

    @Test("a long frame on a slow link arrives, however long it takes, as long as bytes flow")
    func slowLink() throws {
        // Long enough that a busy machine does not count as a stalled client. The buffers hold several loopback
        // segments; otherwise TCP itself would pause for seconds between two of them.
        let deadline: Int64 = 3000
        let harness = try GatewayHarness { $0.timing.writeDeadline = deadline }
        let (client, id) = try harness.connectKnown(receiveBuffer: 524_288)
        // Several times the size of the kernel's buffers, so that the rest waits in the gateway while the client reads.
        let frame = [UInt8](repeating: 0x61, count: 12_000_000)
        harness.gateway.send(.send(id, frame: frame), toShard: 0)
        let start = MonotonicClock.system.milliseconds
        let pause = WakeSignal()
        var text: [UInt8]?
        while text == nil {
            pause.wait(timeoutMilliseconds: 25)
            do throws(ClientError) {
                if case .text(let bytes) = try client.nextPiece() { text = bytes }
            } catch {
                Issue.record("\(error) after \(MonotonicClock.system.milliseconds - start) ms")
                return
            }
        }
        #expect(text?.count == frame.count)
        #expect(MonotonicClock.system.milliseconds - start > deadline, "the link was not slow enough to show anything")
        #expect(harness.record.closed.isEmpty)
    }

    @Test("commands for connections, requests and topics that are gone do nothing")
    func gone() throws {
        let harness = try GatewayHarness()
        let (client, id) = try harness.connectKnown()
        let nobody = ConnectionID(rawValue: id.rawValue + 64)
        var commands: [GatewayCommand] = [
            .send(nobody, frame: [0x61]),
            .close(nobody, .normal),
            .subscribe(nobody, Self.id, resume: nil),
            .subscribe(id, Self.id, resume: nil),
            .unsubscribe(id, Self.id),
            .updateTopic(Self.move(1, "x", version: 1)),
            .closeTopic(Self.id),
            .respond(RequestID(rawValue: 12_800), HTTPResponse(status: 200)),
        ]
        harness.gateway.deliver(.say([0x61]), to: nobody)
        harness.gateway.send(contentsOf: &commands, toShard: 0)
        #expect(commands.isEmpty)
        harness.gateway.deliver(.say(Array("delivered".utf8)), to: id)
        #expect(try client.nextText() == "delivered")
    }

    @Test("a topic in a new epoch is told in full")
    func newEpoch() throws {
        let harness = try GatewayHarness()
        let (client, id) = try harness.connectKnown()
        harness.gateway.send(.openTopic(Self.snapshot()), toShard: 0)
        harness.gateway.send(.subscribe(id, Self.id, resume: nil), toShard: 0)
        _ = try client.nextText()
        harness.gateway.send(
            .openTopic(TopicSnapshot(id: Self.id, epoch: "f", version: 1, entries: [])),
            toShard: 0
        )
        #expect(try client.nextText() == "full f 1")
    }
}
