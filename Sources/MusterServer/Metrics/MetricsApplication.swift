import MusterWire
import WebSocketGateway

/// The application of a second listener that serves `/metrics` and nothing else.
final class MetricsApplication: GatewayApplication {
    typealias Message = Never

    private let services: Services
    private let shard: any GatewayShard

    /// Creates the application of the listener's one shard.
    init(services: Services, shard: any GatewayShard) {
        self.services = services
        self.shard = shard
    }

    func topicUnfollowed(_ topic: TopicID, on shard: Int, since number: UInt64) {}

    func requestReceived(_ request: HTTPRequest) {
        let response: HTTPResponse =
            request.path == "/metrics" && request.method == .get
            ? MetricsPage.server(self.services).response()
            : .problem(FrameError(.notFound, message: "Only GET /metrics is served here."))
        self.shard.respond(request.id, response)
    }

    // No WebSocket gets this far: the listener knows no subprotocol.
    func connectionOpened(_ connection: Connection) { connection.close(.unsupportedData) }
    func frameReceived(_ bytes: UnsafeRawBufferPointer, on connection: Connection) {}
    func messageReceived(_ message: Never, on connection: Connection) {}
    func timerFired(_ token: UInt8, on connection: Connection) {}
    func connectionClosed(_ connection: Connection, _ code: CloseCode) {}
    func turnEnded() {}
}

@available(*, unavailable)
extension MetricsApplication: Sendable {}
