import MusterWire
import WebSocketGateway

/// The routes for monitoring: liveness, readiness and metrics (public/openapi.json).
struct OperationsRoutes: Sendable {
    private let services: Services

    init(_ services: Services) { self.services = services }

    /// The routes of the table.
    var routes: [Route] {
        [
            Route(.get, "/healthz", access: .anybody) { [node = self.services.node] (_) async throws in
                .health(of: node)
            },
            Route(.get, "/readyz", access: .anybody, handler: self.readiness),
            Route(.get, "/metrics", access: .anybody, handler: self.metrics),
        ]
    }

    private func readiness(_ request: RouteRequest) async throws -> HTTPResponse {
        guard let reason = self.services.node.unreadiness else { return .text("ready\n") }
        return .problem(FrameError(.unavailable, message: reason, retryAfter: 1000))
    }

    private func metrics(_ request: RouteRequest) async throws -> HTTPResponse {
        guard self.services.node.configuration.metricsListen == nil else {
            throw FrameError(.notFound, message: "Metrics are served on another port, see --metrics-listen.")
        }
        return MetricsPage.server(self.services).response()
    }
}

extension HTTPResponse {
    /// The answer to `/healthz`: whether every loop of the process makes progress.
    static func health(of node: ServerNode) -> HTTPResponse {
        guard let report = node.loops.report else { return .text("ok\n") }
        return .problem(FrameError(.unavailable, message: report, retryAfter: 10_000))
    }
}
