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
                    "--quick", "--program", MusterProcess.executable.path, "--output", file, "--beside",
                    BenchProcess.relay(),
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
