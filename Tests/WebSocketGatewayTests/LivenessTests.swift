import EventLoop
import Testing

@testable import MusterClient
@testable import MusterWire
@testable import WebSocketGateway

@Suite("Deadlines, pings and the end", .serialized)
struct LivenessTests {
    @Test("without hello a connection is closed with 4408, with it it stays")
    func helloDeadline() throws {
        let harness = try GatewayHarness { $0.timing.helloDeadline = 150 }
        let silent = try harness.connect()
        let polite = try harness.connect()
        try polite.send("hello")
        #expect(try polite.nextText() == "hello")
        #expect(try silent.nextClose() == 4408)
        try polite.send("still here")
        #expect(try polite.nextText() == "still here")
    }

    @Test("a client that answers pings stays, a silent one is closed with 4408")
    func silence() throws {
        // Long enough that a test that waits for a processor does not count as silent.
        let harness = try GatewayHarness { $0.timing.pingInterval = 500 }
        let silent = try harness.connect()
        silent.codec.answersPings = false
        let lively = try harness.connect()
        var pings = 0
        while pings < 5 { if case .ping = try lively.next() { pings += 1 } }
        #expect(try silent.nextClose() == 4408)
        try lively.send("x")
        #expect(try lively.nextText() == "x")
    }

    @Test("a client that falls silent is closed after two intervals, whenever its pings were due")
    func silenceIsTwoIntervals() throws {
        let interval: Int64 = 2000
        let harness = try GatewayHarness { $0.timing.pingInterval = interval }
        let clock = MonotonicClock.system
        // Each has its first ping at another time. The server accepted it at some time between the two.
        let clients = try (0..<8).map { _ in
            let earliest = clock.milliseconds
            let client = try harness.connect()
            client.codec.answersPings = false
            return (client: client, earliest: earliest, latest: clock.milliseconds)
        }
        for (client, earliest, latest) in clients {
            #expect(try client.nextClose() == 4408)
            let end = clock.milliseconds
            #expect(end - earliest >= 2 * interval - 50)
            #expect(end - latest <= 2 * interval + interval / 2)
        }
    }

    @Test("a paused connection is read again where it stopped")
    func pausedReading() throws {
        let harness = try GatewayHarness()
        let client = try harness.connect()
        for text in ["pause", "first", "second"] { client.codec.send(text: text.utf8) }
        try client.flush()
        #expect(try client.nextText() == "timer 7")
        #expect(try client.nextText() == "first")
        #expect(try client.nextText() == "second")
    }

    @Test("a shard that stops reading holds everybody back, and nobody's frames are lost")
    func backPressure() throws {
        let harness = try GatewayHarness()
        let (client, id) = try harness.connectKnown()
        var commands: [GatewayCommand] = [.pauseAllReading, .send(id, frame: Array("paused".utf8))]
        harness.gateway.send(contentsOf: &commands, toShard: 0)
        #expect(try client.nextText() == "paused")
        for number in 0..<2000 { client.codec.send(text: "frame \(number)".utf8) }
        try client.flush()
        let newcomer = try harness.connect()
        try newcomer.send("me too")
        #expect(throws: ClientError.self) { try client.next(timeout: 100) }
        #expect(throws: ClientError.self) { try newcomer.next(timeout: 100) }
        harness.gateway.send(.resumeAllReading, toShard: 0)
        for number in 0..<2000 { #expect(try client.nextText() == "frame \(number)") }
        #expect(try newcomer.nextText() == "me too")
    }

    @Test("a drain says farewell, closes with the code, and ends the threads")
    func drain() throws {
        var configuration = GatewayConfiguration()
        configuration.limits.connections = 500
        configuration.limits.reservedDescriptors = 1500
        configuration.timing.resolution = 10
        configuration.shards = 2
        let record = EchoRecord()
        let gateway = try Gateway(
            configuration: configuration,
            kinds: [1: LineFormat()],
            log: { _ in },
            makeApplication: { EchoApplication(shard: $0, record: record) }
        )
        let clients = try (0..<300).map { _ in try BlockingWebSocket(port: gateway.port) }
        let ended = CountingThread(clients)
        gateway.shutDown(farewell: Array("goaway".utf8), code: .restarting, timeout: 5000)
        #expect(ended.join() == 300)
        #expect(record.closed.count == 300)
        #expect(record.closed.allSatisfy { $0.code == .restarting })
        #expect(throws: ClientError.self) { _ = try BlockingWebSocket(port: gateway.port) }
    }

    @Test("a gateway on a port that is taken says so")
    func portTaken() throws {
        let harness = try GatewayHarness()
        let port = harness.port
        let error = #expect(throws: GatewayError.self) {
            let other = try GatewayHarness { $0.port = port }
            _ = other.port
        }
        #expect(error?.code == .cannotListen)
    }
}

/// Reads many clients on its own thread, and counts those that received the farewell and then the close code.
private final class CountingThread: Sendable {
    private let count = Counter()
    private let thread: WorkerThread

    init(_ clients: [BlockingWebSocket]) {
        let count = self.count
        // Only the new thread uses the clients from here on.
        nonisolated(unsafe) let handedOver = clients
        self.thread = WorkerThread(name: "test-clients") {
            for client in handedOver {
                guard (try? client.nextText()) == "goaway", (try? client.nextClose()) == 1012 else { continue }
                count.add()
            }
        }
    }

    func join() -> Int {
        self.thread.join()
        return self.count.value
    }
}
