import MusterTestSupport
import Testing

@testable import MusterWire

/// Changes that must not affect the notifications, on days of realistic fixes with noise, strays, gaps and late
/// uploads.
@Suite("The invariance of replays", .blocking)
struct ReplayInvarianceTests {
    private let folder: TraceFolder
    /// The lines in order of arrival.
    private let trace: [String]

    init() throws {
        self.folder = try TraceFolder()
        let made = try MusterProcess.run(["replay", "--generate", "26", "--seed", "5"], within: 300_000)
        #expect(made.status == 0, "\(made.log)")
        self.trace = made.output.split(separator: "\n").map(String.init)
    }

    /// A fix of the trace.
    private struct Report {
        let user: String
        let number: Int64
        let at: Int64
        let receivedAt: Int64

        /// Parses a line; nil if it is not a fix.
        init?(_ line: String) throws {
            let json = try JSONDocument(Array(line.utf8))
            guard let user = json["user"].string, let number = json["seq"].int, let at = json["at"].int,
                let receivedAt = json["receivedAt"].int
            else { return nil }
            (self.user, self.number, self.at, self.receivedAt) = (user, number, at, receivedAt)
        }

        /// A pseudo-random number that is the same for each copy of the fix.
        func dice(_ sides: UInt64) -> UInt64 {
            var state = UInt64(bitPattern: self.number) &* 0x9E37_79B9_7F4A_7C15
            for byte in self.user.utf8 { state = (state ^ UInt64(byte)) &* 0x1000_0000_01B3 }
            return (state >> 33) % sides
        }
    }

    /// The departure notifications of a trace, one per line.
    private func alerts(_ lines: [String], _ options: [String] = []) throws -> [String] {
        try self.folder.replay(lines, options).split(separator: "\n").filter { $0.contains("left_without_you") }
            .map(String.init)
    }

    @Test("arrivals that are shuffled within 3 s and repeated, and another tick, change no byte of an alert")
    func shuffles() throws {
        var arrivals: [(at: Int64, line: String)] = []
        var last: Int64 = 0
        for line in self.trace {
            guard let report = try Report(line) else {
                arrivals.append((last, line))
                continue
            }
            last = report.receivedAt
            // Fixes with a wrong clock or from a phone without a network keep their time of arrival.
            let isPrompt = (0..<2_900).contains(report.receivedAt - report.at)
            let arrival = isPrompt ? report.at + Int64(report.dice(2_900)) : report.receivedAt
            let moved = line.replacing(#""receivedAt":\#(report.receivedAt)"#, with: #""receivedAt":\#(arrival)"#)
            arrivals.append((arrival, moved))
            if report.dice(5) == 0 {
                let again = arrival + Int64(report.dice(60_000))
                let copy = moved.replacing(#""receivedAt":\#(arrival)"#, with: #""receivedAt":\#(again)"#)
                arrivals.append((again, copy))
            }
        }
        let order = arrivals.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }
        let reference = try self.alerts(self.trace)
        #expect(reference.count > 5)
        #expect(try self.alerts(order.map(\.element.line), ["--tick", "250"]) == reference)
    }

    @Test("fixes that are split over two phones of each person tell the same people the same")
    func split() throws {
        let split = try self.trace.map { line in
            guard let report = try Report(line), report.dice(2) == 0 else { return line }
            return line.replacing(#""device":"phone""#, with: #""device":"second""#)
        }
        #expect(split.count { $0.contains("second") } > self.trace.count / 3)
        // Times may differ by seconds: each phone's clock offset is learned from its own fixes, and decisions compare
        // several phones.
        func received(_ alerts: [String]) throws -> [String] {
            try alerts.map { alert in
                let json = try JSONDocument(Array(alert.utf8))
                return "\(json["user"].string ?? "") \(json["variant"].string ?? "")"
            }
            .sorted()
        }
        let reference = try self.alerts(self.trace)
        #expect(try received(self.alerts(split)) == received(reference))
    }
}
