import EventLoop
import Testing

/// The log output for an operation that fails repeatedly.
@Suite("Failures in the log")
struct FailureLogTests {
    /// The log lines of attempts at these milliseconds, some of which fail.
    private func lines(of tries: [(at: Int64, fails: Bool)], quietPeriod: Int64 = 0) -> [String] {
        var failures = FailureLog(quietPeriod: quietPeriod)
        return tries.compactMap { attempt in
            let event =
                attempt.fails
                ? failures.failed(at: attempt.at) { LogEvent(.warning, "away") }
                : failures.succeeded(at: attempt.at) { LogEvent(.info, "back") }
            return event.map { event -> String in
                let fields: [String] = event.fields.map { "\($0.key)=\($0.value)" }
                return ([event.message] + fields).joined(separator: " ")
            }
        }
    }

    @Test("failures of 150 s, ten a second, give a line when they begin, one a minute, and one when they end")
    func outage() {
        let tries = (0..<1500).map { (at: Int64($0) * 100, fails: true) }
        #expect(
            self.lines(of: tries + [(150_000, false), (150_100, false)]) == [
                "away", "away failures=601 seconds=60", "away failures=1201 seconds=120",
                "back failures=1500 seconds=150",
            ]
        )
    }

    @Test("what goes well says nothing, and the next failures begin anew")
    func again() {
        let tries = [(0, false), (100, true), (200, false), (300, false), (400, true)] as [(Int64, Bool)]
        #expect(self.lines(of: tries) == ["away", "back failures=1 seconds=0", "away"])
    }

    @Test("where some of what is done goes well all the time, failures end when there were none for a while")
    func mixed() {
        let tries = (0..<100).map { number -> (at: Int64, fails: Bool) in
            (at: Int64(number) * 100, fails: number < 40 && number.isMultiple(of: 2))
        }
        #expect(self.lines(of: tries, quietPeriod: 5_000) == ["away", "back failures=20 seconds=8"])
    }
}
