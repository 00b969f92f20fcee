import EventLoop
import Foundation
import MusterTestSupport
import MusterWire
import Testing

@testable import MusterClient

/// Servers with a loop that never ends its iteration (`MUSTER_STALL_LOOP`).
@Suite("A loop stalls", .waiting)
struct StalledLoopTests {
    /// A loop and the kind of stall.
    struct Row: Sendable, CustomTestStringConvertible {
        let loop: String
        var how = "block"
        var options: [String] = []
        /// Whether `/healthz` still answers on the clients' port.
        var isHeardByClients = true
        /// Whether the server's shutdown waits for the loop.
        var holdsUpTheEnd = true

        var testDescription: String { "\(self.loop), \(self.how), \(self.options)" }
    }

    static let rows = [
        Row(loop: "world", how: "spin", options: ["--gateways", "2"]),
        Row(loop: "world"),
        Row(loop: "gateway-0", options: ["--gateways", "2"]),
        Row(loop: "gateway-0", how: "spin"),
        Row(loop: "accept", isHeardByClients: false),
        Row(loop: "metrics-gateway-0"),
        Row(loop: "atlas"),
        Row(loop: "journal"),
        Row(loop: "directory"),
        Row(loop: "chat", holdsUpTheEnd: false),
        Row(loop: "chat-pool"),
        Row(loop: "changes"),
        Row(loop: "tasks", holdsUpTheEnd: false),
    ]

    @Test("/healthz says which within 15 s, and SIGTERM ends the process within 30 s", arguments: rows)
    func stall(_ row: Row) async throws {
        let trigger = "/tmp/muster-stall-\(UUID().uuidString.prefix(12))"
        defer { unlink(trigger) }
        let options = ["--metrics-listen", "127.0.0.1:0"] + row.options
        let environment = ["MUSTER_STALL_LOOP": "\(row.loop) \(row.how) \(trigger)"]
        try await ServerFixture.open(options, environment: environment) { fixture in
            let metrics = try fixture.metricsPort()
            let port = row.isHeardByClients ? fixture.server.port : metrics
            let ada = try fixture.enter(try fixture.signUp("Ada"))
            let group = try ada.createGroup()
            #expect(try fixture.http("GET", "/healthz").status == 200)
            #expect(try fixture.http("GET", "/healthz", port: metrics).status == 200)

            _ = FileManager.default.createFile(atPath: trigger, contents: nil)
            // Work for each loop.
            try ada.sendFix(48.2, 16.37)
            try ada.send("chat.send", ["id": 99, "room": .string(group), "key": "k", "text": "Is anybody there?"])
            try fixture.query("NOTIFY muster_change, 'group 1 1'")
            let visitor = try Self.visit(fixture.server.port)
            defer { close(visitor) }
            var health: HTTPReply?
            let isNotified = eventually(within: 15_000) {
                health = try? Self.health(port)
                return health?.status == 503
            }
            #expect(isNotified, "last: \(health?.status ?? 0) \(health?.text ?? "")")
            let detail = health?.json?["detail"].string ?? ""
            #expect(detail.contains(row.loop), "\(health?.text ?? "")")
            if row.isHeardByClients {
                fixture.transcript.answered("GET", "/healthz", status: 503, body: health?.text ?? "")
            }
            if !row.loop.hasPrefix("metrics") {
                let figures = try fixture.http("GET", "/metrics", port: metrics).text
                #expect(figures.contains("muster_loop_stalled{loop=\"\(row.loop)\"} 1"))
            }
            let status = fixture.server.terminate(within: 30_000)
            #expect(status != nil, "the process did not end")
            if row.holdsUpTheEnd {
                #expect(status != 0)
                let line = fixture.server.logLines.last { $0.contains("did not stop in time") }
                #expect(line?.contains(row.loop) == true, "\(fixture.server.log.suffix(2000))")
            }
        }
    }

    /// Connects and sends nothing; the caller closes the descriptor.
    private static func visit(_ port: UInt16) throws -> Int32 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
        let status = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        try #require(status == 0)
        return descriptor
    }

    @Test("what was received before a loop stalled is committed before the process ends")
    func committed() async throws {
        let trigger = "/tmp/muster-stall-\(UUID().uuidString.prefix(12))"
        defer { unlink(trigger) }
        let environment = ["MUSTER_STALL_LOOP": "atlas block \(trigger)"]
        try await ServerFixture.open(environment: environment) { fixture in
            let ada = try fixture.enter(try fixture.signUp("Ada"))
            _ = FileManager.default.createFile(atPath: trigger, contents: nil)
            for step in 0..<100 { try ada.sendFix(48.2 + Double(step) / 10_000, 16.37) }
            try ada.catchUp()
            #expect(fixture.server.terminate(within: 30_000) == 1)
            #expect(try fixture.count(of: "muster.fix") == 100)
        }
    }

    /// Queries `/healthz` on a new connection, which a stalled shard may receive.
    private static func health(_ port: UInt16) throws -> HTTPReply {
        HTTPReply(try BlockingHTTP(port: port).request("GET", "/healthz", timeout: 1000))
    }
}
