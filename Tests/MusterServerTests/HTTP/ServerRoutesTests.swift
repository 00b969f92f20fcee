import EventLoop
import Foundation
import MusterTestSupport
import Testing

@testable import MusterServer
@testable import WebSocketGateway

@Suite("The server's routes")
struct ServerRoutesTests {
    /// The services for routes and metrics, without a running server.
    private let services = Services(
        configuration: ServerConfiguration(),
        clock: .system,
        logger: Logger(level: .error),
        world: LocalWorld(),
        clusters: LocalClusterService()
    )

    @Test("every route is in openapi.json, and everything there is a route")
    func contract() throws {
        let file = MusterProcess.checkout.appending(path: "public/openapi.json")
        let document = try #require(
            try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any]
        )
        let paths = try #require(document["paths"] as? [String: [String: Any]])
        let methods = Set(HTTPMethod.allCases.map { $0.rawValue.lowercased() })
        let promised = paths.flatMap { path, operations in
            operations.keys.filter(methods.contains).map { "\($0.uppercased()) \(path)" }
        }
        let served = RouteTable.server(self.services).routes.map { "\($0.method.rawValue) \($0.pattern.text)" }
        #expect(Set(promised) == Set(served))
        #expect(served.count == Set(served).count, "a route is there twice")
    }

    @Test("no two routes of a path name its parameters differently")
    func parameters() {
        let patterns = Set(RouteTable.server(self.services).routes.map(\.pattern))
        let shapes = patterns.map { $0.text.replacing(/\{[^}]*\}/, with: "{}") }
        #expect(shapes.count == Set(shapes).count)
    }

    @Test("what needs storage or a login says so, and machines are answered without either")
    func mailboxes() async throws {
        let table = RouteTable.server(self.services)
        func status(_ method: HTTPMethod, _ path: String) async -> Int {
            await table.respond(to: HTTPRequest(id: RequestID(rawValue: 1), method: method, path: path)).status
        }
        #expect(await status(.get, "/healthz") == 200)
        #expect(await status(.get, "/readyz") == 503)
        #expect(await status(.get, "/metrics") == 200)
        for (method, path) in [
            (.post, "/v1/accounts"), (.get, "/v1/me"), (.get, "/v1/me/export"), (.post, "/v1/locations"),
            (.post, "/v1/photos"), (.get, "/v1/photos/81"),
            (.get, "/v1/invites/abc"), (.get, "/v1/groups/81/gatherings"),
        ] as [(HTTPMethod, String)] {
            #expect(await status(method, path) == 503, "\(path)")
        }
        #expect(await status(.put, "/v1/me") == 405)
        #expect(await status(.get, "/v1/invites/") == 404)
    }

    @Test("every metric has a name of its own, of the right form, and a sentence that says what it is")
    func metrics() {
        let metrics = MetricsPage.server(self.services).tables.flatMap(\.entries)
        #expect(metrics.count == Set(metrics.map(\.name)).count)
        for metric in metrics {
            #expect(metric.name.wholeMatch(of: /muster_[a-z][a-z0-9_]*/) != nil)
            #expect(metric.help.hasSuffix("."), "\(metric.name)")
            switch metric.kind {
            case .counter: #expect(metric.name.hasSuffix("_total"), "\(metric.name)")
            case .gauge, .histogram: #expect(!metric.name.hasSuffix("_total"), "\(metric.name)")
            }
        }
        // Dashboards depend on these names.
        #expect(
            Set(metrics.map(\.name)).isSuperset(of: [
                "muster_build_info", "muster_ready", "muster_connections", "muster_sockets",
                "muster_frames_received_total", "muster_frames_sent_total", "muster_sent_bytes_total",
                "muster_writes_total", "muster_http_requests_total", "muster_closes_total", "muster_refusals_total",
                "muster_gateway_mailbox_depth", "muster_sessions", "muster_users", "muster_groups",
                "muster_gatherings_open", "muster_alerts_total", "muster_fixes_total", "muster_world_mailbox_depth",
                "muster_tick_seconds", "muster_turn_inputs", "muster_journal_waiting", "muster_journal_lag_seconds",
                "muster_journal_records_total", "muster_journal_failed_total", "muster_journal_batches_total",
                "muster_journal_batch_records", "muster_journal_commit_seconds_total",
                "muster_journal_reconnects_total", "muster_http_request_seconds", "muster_blocking_running",
                "muster_imaging_seconds", "muster_imaging_queue", "muster_imaging_refused_total",
            ])
        )
    }
}
