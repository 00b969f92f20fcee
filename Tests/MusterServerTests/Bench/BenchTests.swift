import Foundation
import MusterTestSupport
import MusterWire
import Testing

/// The bench measures what it says and leaves nothing behind; whether the numbers are good is not for a test.
@Suite(.serialized)
struct BenchTests {
    private func bench(_ arguments: [String]) async throws -> (status: Int32, output: String, log: String) {
        try await onWorkerThread {
            try MusterProcess.run(["bench"] + arguments + ["--json"], within: 600_000)
        }
    }

    /// The medians of a report, which must have no failures.
    private func figures(_ arguments: [String]) async throws -> [String: Double] {
        let (status, output, log) = try await self.bench(arguments)
        let report = try JSONDocument(Array(output.utf8))
        let failures = report["failures"].elements.map { $0.string ?? "" }
        #expect(failures == [], "\(log)")
        #expect(status == 0, "\(log)")
        #expect(report["machine"]["cores"].int ?? 0 > 0)
        return Dictionary(
            uniqueKeysWithValues: report["figures"].fields.map { ($0.key, $0.value["median"].double ?? .nan) }
        )
    }

    @Test("fanout delivers each fix to the others of its group and finds all of them committed")
    func fanout() async throws {
        let figures = try await self.figures([
            "fanout", "--sessions", "12", "--group", "4", "--rate", "120", "--seconds", "1", "--warm-up", "0.5",
            "--runs", "1",
        ])
        let fixes = try #require(figures["fixes_per_second"])
        let positions = try #require(figures["positions_per_second"])
        let conflation = try #require(figures["conflation"])
        #expect((100...140).contains(fixes))
        // Three others are told of each fix; what was conflated was told with the next one.
        #expect((0.9...1.1).contains(positions * conflation / fixes / 3))
        #expect(try #require(figures["staleness_p50_ms"]) > 0)
        #expect(try #require(figures["commit_lag_p99_ms"]) >= #require(figures["commit_lag_p50_ms"]))
        #expect(try #require(figures["server_us_per_fix"]) > 0)
    }

    /// A shell command for the test's own relay.
    private func relay(_ options: String = "") -> String {
        "python3 '\(MusterProcess.checkout.path)/Tests/Relay/plain_relay.py' --port {port} \(options)"
    }

    @Test("fanout measures a relay beside Muster, with the same load, and gives the ratios")
    func beside() async throws {
        let figures = try await self.figures([
            "fanout", "--sessions", "12", "--group", "4", "--rate", "120", "--seconds", "1", "--warm-up", "0.5",
            "--runs", "2", "--beside", self.relay(),
        ])
        #expect((100...140).contains(try #require(figures["relay_messages_per_second"])))
        #expect((300...420).contains(try #require(figures["relay_deliveries_per_second"])))
        #expect(try #require(figures["relay_staleness_p99_ms"]) >= #require(figures["relay_staleness_p50_ms"]))
        #expect(try #require(figures["cpu_ratio"]) > 0)
        #expect(figures["sustained_ratio"] == nil)
    }

    @Test("fanout does not count a relay that says things twice")
    func repeats() async throws {
        let (status, output, _) = try await self.bench([
            "fanout", "--sessions", "4", "--group", "4", "--rate", "40", "--seconds", "0.5", "--warm-up", "0",
            "--runs", "1", "--beside", self.relay("--repeat"),
        ])
        #expect(status == 1)
        #expect(output.contains("relay: 60 frames were misread"))
    }

    @Test("the script measures every kind and puts the table where it belongs")
    func script() async throws {
        let folder = NSTemporaryDirectory() + "/muster-bench-script-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let file = "\(folder)/table.md"
        try "before\n<!-- bench:begin -->\nyesterday\n<!-- bench:end -->\nafter\n"
            .write(toFile: file, atomically: true, encoding: .utf8)
        let (status, output) = try await onWorkerThread {
            try Tool.run(
                MusterProcess.checkout.appending(path: "scripts/bench").path,
                ["--quick", "--program", MusterProcess.executable.path, "--output", file, "--beside", self.relay()],
                within: 600_000
            )
        }
        #expect(status == 0, "\(output)")
        let text = try String(contentsOfFile: file, encoding: .utf8)
        #expect(text.hasPrefix("before\n<!-- bench:begin -->\n"))
        #expect(text.hasSuffix("<!-- bench:end -->\nafter\n"))
        #expect(!text.contains("yesterday"))
        let help = try await onWorkerThread { try MusterProcess.run(["bench", "--help"]) }.output
        for kind in try self.kinds(of: help) { #expect(text.contains("| `\(kind) "), "no row for \(kind)") }
        #expect(text.contains("the relay's"))
    }

    /// The kinds that the help lists.
    private func kinds(of help: String) throws -> [String] {
        let lines = help.split(separator: "\n", omittingEmptySubsequences: false)
        let start = try #require(lines.firstIndex { $0.hasPrefix("Kinds:") })
        let kinds = lines[(start + 1)...].prefix { $0.hasPrefix("  ") }.compactMap { $0.split(separator: " ").first }
        #expect(kinds.count >= 5)
        return kinds.map(String.init)
    }

    @Test("idle tells what a session takes")
    func idle() async throws {
        let figures = try await self.figures(["idle", "--sessions", "20", "--seconds", "1", "--runs", "1"])
        #expect(try #require(figures["connects_per_second"]) > 0)
        #expect(try #require(figures["server_resident_mb"]) > 1)
    }

    @Test("storm brings everybody back with their rosters")
    func storm() async throws {
        let figures = try await self.figures(["storm", "--sessions", "20", "--runs", "2"])
        #expect(try #require(figures["back_last_ms"]) >= #require(figures["back_p50_ms"]))
        #expect(try #require(figures["retries"]) == 0)
    }

    @Test("journal finds every fix in the table")
    func journal() async throws {
        let figures = try await self.figures(["journal", "--sessions", "20", "--seconds", "0.3", "--runs", "1"])
        #expect(try #require(figures["journal_per_second"]) > 1000)
        #expect(try #require(figures["plain_copy_per_second"]) > 1000)
    }

    @Test("tick takes the world through its turns, and each group of one who moved has a new roster")
    func tick() async throws {
        let figures = try await self.figures([
            "tick", "--sessions", "200", "--moved", "5", "--seconds", "20", "--warm-up", "5", "--runs", "1",
        ])
        #expect(try #require(figures["tick_p50_ms"]) > 0)
        #expect(try #require(figures["tick_p99_ms"]) >= #require(figures["tick_p50_ms"]))
        #expect(try #require(figures["moved"]) == 10)
        // Ten of two hundred, drawn anew each time, are in five to ten of twenty groups, nearly always.
        #expect((5...10).contains(try #require(figures["changes"])))
        #expect(try #require(figures["encoded_bytes"]) > 500)
    }

    @Test("spots pushes each new spot to those nearby, whom the index finds as a scan does")
    func spots() async throws {
        let figures = try await self.figures([
            "spots", "--sessions", "1000", "--rate", "200", "--spots", "50", "--seconds", "2", "--runs", "1",
        ])
        #expect(try #require(figures["told"]) > 10)
        #expect(try #require(figures["frame_bytes"]) > 200)
        #expect(try #require(figures["wrong"]) == 0)
        #expect(try #require(figures["push_p99_ms"]) >= #require(figures["push_p50_ms"]))
        #expect(try #require(figures["spots_percent"]) > 0)
    }

    @Test("gatherings decides about everybody and asks PostGIS the same")
    func gatherings() async throws {
        let figures = try await self.figures(["gatherings", "--sessions", "1000", "--runs", "1"])
        #expect(try #require(figures["gathered"]) > 50)
        // Six sit together in each of the hundred groups; somebody may stray from all others.
        #expect(try #require(figures["postgis_clusters"]) >= 100)
        #expect(try #require(figures["ns_per_member"]) > 0)
        #expect(try #require(figures["taken_in_ns"]) > 0)
        #expect(try #require(figures["ratio"]) > #require(figures["ratio_with_arrivals"]))
    }

    @Test(
        "wrong usage is told before anything is started",
        arguments: [
            (["nothing"], "unknown kind"), ([], "name one kind"),
            (["fanout", "--sessions", "11", "--group", "10"], "multiple of --group"),
            (["journal", "--rate", "5"], "--rate is not for journal"),
            (["fanout", "--beside", "relay"], "--beside needs {port}"),
            (["fanout", "--beside", "relay {port}", "--beside-message", "x"], "--beside-message must hold {number}"),
        ]
    )
    func usage(arguments: [String], complaint: String) async throws {
        let (status, output, log) = try await self.bench(arguments)
        #expect(status == 2)
        #expect(output == "")
        #expect(log.contains(complaint))
    }
}
