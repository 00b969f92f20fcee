import Foundation
import MusterTestSupport
import Testing

@testable import MusterWire

/// Runs `muster bench` as from a shell.
enum BenchProcess {
    /// Runs `muster bench` to its end.
    static func run(_ arguments: [String]) async throws -> (status: Int32, output: String, log: String) {
        try await onWorkerThread {
            try MusterProcess.run(["bench"] + arguments + ["--json"], within: 600_000)
        }
    }

    /// The medians of a report, which must have no failures.
    static func figures(_ arguments: [String]) async throws -> [String: Double] {
        let (status, output, log) = try await Self.run(arguments)
        try #require(!output.isEmpty, "it ended with \(status) and without a report: \(log)")
        #expect(status == 0, "\(log)")
        return try Self.figures(of: Array(output.utf8), log)
    }

    /// The medians of a report in JSON, which must have no failures.
    static func figures(of report: [UInt8], _ log: String = "") throws -> [String: Double] {
        let report = try JSONDocument(report)
        let failures = report["failures"].elements.map { $0.string ?? "" }
        #expect(failures == [], "\(log)")
        #expect(report["machine"]["cores"].int ?? 0 > 0)
        return Dictionary(
            uniqueKeysWithValues: report["figures"].fields.map { ($0.key, $0.value["median"].double ?? .nan) }
        )
    }

    /// A shell command for the tests' own relay.
    static func relay(_ options: String = "") -> String {
        "python3 '\(MusterProcess.checkout.path)/Tests/Relay/plain_relay.py' --port {port} \(options)"
    }

    /// A shell command for the stand-in of another cluster index.
    static var clusterIndex: String {
        "python3 '\(MusterProcess.checkout.path)/Tests/StandIns/cluster_index.py'"
    }
}
