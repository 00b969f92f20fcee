import EventLoop
import Testing

@testable import MusterServer

@Suite struct LoggerTests {
    @Test("a line is one JSON object with time, level, message and dotted keys, whatever is in them")
    func shape() async throws {
        let nasty = "a \"quote\", a \\, a\nbreak, a \u{0}, a \u{1F600} and a tab\t"
        let lines = try await LoggedLines.written(.info) { logger in
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
    func levels(level: LogEvent.Level) async throws {
        let lines = try await LoggedLines.written(level) { logger in
            for each in LogEvent.Level.allCases { logger.log(each, each.rawValue) }
        }
        #expect(lines.compactMap { $0["level"] } == LogEvent.Level.allCases.filter { $0 >= level }.map(\.rawValue))
    }
}
