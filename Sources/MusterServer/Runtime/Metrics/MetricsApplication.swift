import MusterWire
import WebSocketGateway

/// The application of a separate listener, which serves `/metrics`, and serves `/healthz` even while the main listener
/// hangs.
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
            switch (request.method, request.path) {
            case (.get, "/metrics"): MetricsPage.server(self.services).response()
            // Answered without a task, because tasks may hang.
            case (.get, "/healthz"): .health(of: self.services.node)
            default: .problem(FrameError(.notFound, message: "Only GET /metrics and GET /healthz are served here."))
            }
        self.shard.respond(request.id, response)
    }

    // No WebSocket gets this far, because the listener has no subprotocol.
    func connectionOpened(_ connection: Connection) { connection.close(.unsupportedData) }
    func frameReceived(_ bytes: UnsafeRawBufferPointer, on connection: Connection) {}
    func messageReceived(_ message: Never, on connection: Connection) {}
    func timerFired(_ token: UInt8, on connection: Connection) {}
    func connectionClosed(_ connection: Connection, _ code: CloseCode) {}
    func iterationEnded() {}
}

@available(*, unavailable)
extension MetricsApplication: Sendable {}
