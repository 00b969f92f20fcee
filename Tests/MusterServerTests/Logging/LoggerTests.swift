import EventLoop
import Foundation
import MusterTestSupport
import Testing

@testable import MusterServer

@Suite struct LoggerTests {
    /// What `body` makes a logger write, read as JSON lines.
    private func lines(_ level: LogEvent.Level, _ body: (Logger) -> Void) throws -> [[String: String]] {
        let pipe = Pipe()
        let clock = ManualClock(wallMilliseconds: 1_735_689_600_123)
        body(Logger(level: level, descriptor: pipe.fileHandleForWriting.fileDescriptor, clock: clock.clock))
        try pipe.fileHandleForWriting.close()
        let text = String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        #expect(text.isEmpty || text.hasSuffix("\n"))
        return try text.split(separator: "\n").map { line in
            let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] ?? [:]
            return object.mapValues { "\($0)" }
        }
    }

    @Test("a line is one JSON object with time, level, message and dotted keys, whatever is in them")
    func shape() throws {
        let nasty = "a \"quote\", a \\, a\nbreak, a \u{0}, a \u{1F600} and a tab\t"
        let lines = try self.lines(.info) { logger in
            logger.info("plain")
            logger.warning(nasty, ["error.text": .text(nasty), "error.count": 7])
        }
        #expect(lines.count == 2)
        #expect(lines.first == ["at": "1735689600123", "level": "info", "message": "plain"])
        #expect(lines.last?["message"] == nasty)
        #expect(lines.last?["error.text"] == nasty)
        #expect(lines.last?["error.count"] == "7")
        #expect(lines.last?["level"] == "warning")
    }

    @Test("what is below the level is not written", arguments: LogEvent.Level.allCases)
    func levels(level: LogEvent.Level) throws {
        let lines = try self.lines(level) { logger in
            for each in LogEvent.Level.allCases { logger.log(each, each.rawValue) }
        }
        #expect(lines.compactMap { $0["level"] } == LogEvent.Level.allCases.filter { $0 >= level }.map(\.rawValue))
    }
}
