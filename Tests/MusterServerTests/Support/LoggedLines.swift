import EventLoop
import Foundation
import MusterTestSupport
import Testing

@testable import MusterServer

/// The output of a logger, parsed as JSON lines with every value as text.
enum LoggedLines {
    /// The lines that a logger writes in `body`, with a fixed clock.
    static func written(
        _ level: LogEvent.Level,
        by body: (Logger) async throws -> Void
    ) async throws -> [[String: String]] {
        let pipe = Pipe()
        let clock = ManualClock(wallMilliseconds: 1_735_689_600_123)
        try await body(Logger(level: level, descriptor: pipe.fileHandleForWriting.fileDescriptor, clock: clock.clock))
        try pipe.fileHandleForWriting.close()
        let text = String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        #expect(text.isEmpty || text.hasSuffix("\n"))
        return try text.split(separator: "\n").map { line in
            let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] ?? [:]
            return object.mapValues { "\($0)" }
        }
    }
}
