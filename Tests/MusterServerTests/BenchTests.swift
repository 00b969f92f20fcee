import Foundation
import MusterTestSupport
import MusterWire
import Testing

/// The bench measures what it says and leaves nothing behind; whether the numbers are good is not for a test.
@Suite(.serialized)
struct BenchTests {
    private func bench(_ arguments: [String]) async throws -> (status: Int32, output: String, log: String) {
        try await onWorkerThread {
            try MusterProcess.run(["bench"] + arguments + ["--json"], within: 120_000)
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

    @Test(
        "wrong usage is told before anything is started",
        arguments: [
            (["nothing"], "unknown kind"), ([], "name one kind"),
            (["fanout", "--sessions", "11", "--group", "10"], "multiple of --group"),
            (["journal", "--rate", "5"], "--rate is not for journal"),
        ]
    )
    func usage(arguments: [String], complaint: String) async throws {
        let (status, output, log) = try await self.bench(arguments)
        #expect(status == 2)
        #expect(output == "")
        #expect(log.contains(complaint))
    }
}
