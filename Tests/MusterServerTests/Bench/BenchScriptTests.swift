import Foundation
import MusterTestSupport
import Testing

/// The script that runs all benches and writes their results.
@Suite
struct BenchScriptTests {
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
                [
                    "--quick", "--program", MusterProcess.executable.path, "--output", file, "--keep",
                    "\(folder)/reports", "--beside", BenchProcess.relay(),
                ],
                within: 1_200_000
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
        let reports = try FileManager.default.contentsOfDirectory(atPath: "\(folder)/reports")
        func figures(_ kind: String) throws -> [String: Double] {
            let name = try #require(reports.first { $0.hasPrefix("\(kind)_") }, "no report of \(kind)")
            return try BenchProcess.figures(of: Array(Data(contentsOf: URL(filePath: "\(folder)/reports/\(name)"))))
        }
        try self.watches(figures("watches"))
        try self.maps(figures("maps"))
        try self.geocoding(figures("geocoding"))
        try self.events(figures("events"))
        try self.chat(figures("chat"))
    }

    /// Watches are sent glances while full clients are sent every move, and both are compared with the phones alone.
    private func watches(_ figures: [String: Double]) throws {
        #expect(try #require(figures["phones_percent"]) > 0)
        #expect(try #require(figures["full_frames"]) > 1)
        // At most one every ten seconds.
        #expect((0.1...20).contains(try #require(figures["glances"])))
        #expect((200...2_048).contains(try #require(figures["glance_bytes"])))
        #expect(figures["ratio"] != nil)
    }

    /// People move while spots are loaded and tiles are read, and without.
    private func maps(_ figures: [String: Double]) throws {
        for key in ["alone_p99_ms", "beside_p99_ms", "ratio", "load_seconds", "tile_p99_ms"] {
            #expect(try #require(figures[key]) > 0, "\(key)")
        }
        #expect(figures["tiles_read"] == 1000)
    }

    /// People move while others look up places, and alone.
    private func geocoding(_ figures: [String: Double]) throws {
        for key in ["alone_p99_ms", "beside_p99_ms", "ratio", "lookup_p50_ms"] {
            #expect(try #require(figures[key]) > 0, "\(key)")
        }
        #expect(figures["lookups"] == 100)
    }

    /// Each watch is sent every change, of those that hosts request and of those that others write.
    private func events(_ figures: [String: Double]) throws {
        for way in ["requests", "feed"] {
            // Each event has two subscribers; a second change before a push is conflated with the first.
            #expect((1.5...2).contains(try #require(figures["\(way)_told"])))
            #expect(try #require(figures["\(way)_percent"]) > 0)
            #expect(try #require(figures["\(way)_p99_ms"]) >= #require(figures["\(way)_p50_ms"]))
        }
    }

    /// Each message is delivered once to each of the others, and all rooms of a user who reconnects are read at once.
    private func chat(_ figures: [String: Double]) throws {
        #expect(try #require(figures["sent_per_second"]) > 0)
        #expect(try #require(figures["deliveries_per_second"]) > 0)
        // Relative to all messages sent, not a rate: in half a second some messages arrive that were sent before it.
        #expect(figures["deliveries_per_message"] == 3)
        #expect(try #require(figures["relay_ratio"]) > 0)
        #expect(try #require(figures["tenth_p99_ratio"]) >= #require(figures["tenth_p50_ratio"]))
        #expect(try #require(figures["insert_p50_ms"]) > 0)
        // One query for the rooms, one for their last messages, one for missed messages, and one for event rooms. A few
        // users who receive more data make it a fraction.
        #expect((1..<5).contains(try #require(figures["return_room_statements"])))
        #expect(try #require(figures["hot_ratio"]) > 0)
    }

    /// The kinds that the help lists.
    private func kinds(of help: String) throws -> [String] {
        let lines = help.split(separator: "\n", omittingEmptySubsequences: false)
        let start = try #require(lines.firstIndex { $0.hasPrefix("Kinds:") })
        let kinds = lines[(start + 1)...].prefix { $0.hasPrefix("  ") }.compactMap { $0.split(separator: " ").first }
        #expect(kinds.count >= 5)
        return kinds.map(String.init)
    }
}
