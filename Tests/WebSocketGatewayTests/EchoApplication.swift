import Synchronization

@testable import MusterWire
@testable import WebSocketGateway

/// The state of the application on the shards, as tests see it.
final class EchoRecord: Sendable {
    struct State {
        var opened: [ConnectionID] = []
        var closed: [(id: ConnectionID, code: CloseCode)] = []
        var received = 0
        var iterations = 0
        var requests: [RequestID] = []
        var unfollowed: [(topic: TopicID, number: UInt64)] = []
    }

    /// What a test lets the application do on a shard's thread.
    ///
    /// A type of its own: each access to a function that is itself the value of a generic type wraps it once more.
    struct Actions {
        /// Runs in each of the timers that "tick" sets.
        var tick: @Sendable () -> Void = {}
        /// Answers requests instead of the echo; nil for the echo.
        var handler: @Sendable (HTTPRequest) -> HTTPResponse? = { _ in nil }
        /// Runs at the end of each tick of the loop.
        var iterationEnd: @Sendable () -> Void = {}
    }

    let state = Mutex(State())
    let actions = Mutex(Actions())

    var requests: [RequestID] { self.state.withLock { $0.requests } }
    var unfollowed: [(topic: TopicID, number: UInt64)] { self.state.withLock { $0.unfollowed } }
    var opened: [ConnectionID] { self.state.withLock { $0.opened } }
    var closed: [(id: ConnectionID, code: CloseCode)] { self.state.withLock { $0.closed } }
}

/// Sends back received messages, and executes a few commands.
final class EchoApplication: GatewayApplication {
    enum Message: Sendable {
        case say([UInt8])
    }

    private let shard: any GatewayShard
    private let record: EchoRecord

    init(shard: any GatewayShard, record: EchoRecord) {
        self.shard = shard
        self.record = record
    }

    func connectionOpened(_ connection: Connection) {
        self.record.state.withLock { $0.opened.append(connection.id) }
    }

    func frameReceived(_ bytes: UnsafeRawBufferPointer, on connection: Connection) {
        self.record.state.withLock { $0.received += 1 }
        // The padding after the end must be readable, because a vector parser reads it.
        let behind = UnsafeRawBufferPointer(start: bytes.baseAddress.map { $0 + bytes.count }, count: 64)
        precondition(behind.reduce(0) { $0 &+ Int($1) } >= 0)
        switch String(decoding: bytes, as: UTF8.self) {
        case let text where text.hasPrefix("own "): connection.followerKey = Int64(text.dropFirst(4))
        case "hello": connection.markEstablished()
        case "bye": connection.close(.normal)
        case "pause":
            connection.pauseReading()
            connection.timer(after: 200, token: 7)
            return
        case "tick":
            for number in 1...8 { connection.timer(after: Int64(number) * 500, token: 9) }
        case "id":
            connection.send(Array("\(connection.id.rawValue)".utf8))
            return
        default: break
        }
        connection.send(Array(bytes))
    }

    func messageReceived(_ message: Message, on connection: Connection) {
        switch message {
        case .say(let bytes): connection.send(bytes)
        }
    }

    func timerFired(_ token: UInt8, on connection: Connection) {
        if token == 9 { self.record.actions.withLock { $0.tick }() }
        connection.send(Array("timer \(token)".utf8))
        connection.resumeReading()
    }

    func connectionClosed(_ connection: Connection, _ code: CloseCode) {
        self.record.state.withLock { $0.closed.append((connection.id, code)) }
    }

    func topicUnfollowed(_ topic: TopicID, on shard: Int, since number: UInt64) {
        self.record.state.withLock { $0.unfollowed.append((topic, number)) }
    }

    func requestReceived(_ request: HTTPRequest) {
        self.record.state.withLock { $0.requests.append(request.id) }
        guard request.path != "/v1/later" else { return }
        let handler = self.record.actions.withLock { $0.handler }
        if let response = handler(request) { return self.shard.respond(request.id, response) }
        // Streamed bodies are answered by a task.
        guard request.stream == nil else { return }
        var text = "\(request.method.rawValue) \(request.path)"
        for field in request.query { text += " \(field.name)=\(field.value)" }
        if let authorization = request.headers["authorization"] { text += " auth=\(authorization)" }
        text += " body=" + String(decoding: request.body, as: UTF8.self)
        self.shard.respond(
            request.id,
            HTTPResponse(status: 200, headers: [("content-type", "text/plain")], body: Array(text.utf8))
        )
    }

    func iterationEnded() {
        self.record.state.withLock { $0.iterations += 1 }
        self.record.actions.withLock { $0.iterationEnd }()
    }
}
