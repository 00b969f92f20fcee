import Foundation
import MusterTestSupport
import Testing

@testable import MusterWire

@Suite("The replay of traces", .blocking)
struct ReplayTests {
    private static let group = #"{"group":{"id":"climbers","members":["ada","bob","cy"],"settings":{"dwell":120}}}"#

    /// Ada and Bob are at the café and Cy is two kilometres away.
    ///
    /// Bob is away too for some seconds.
    private static func evening(_ seconds: Int, bobAway: Range<Int> = 0..<0) -> [String] {
        [Self.group]
            + stride(from: 0, to: seconds, by: 20).flatMap { second in
                [
                    TraceFolder.fix("ada", second, north: 0), TraceFolder.fix("cy", second + 2, north: 2_000),
                    TraceFolder.fix("bob", second + 1, north: bobAway.contains(second) ? 900 : 10),
                ]
            }
    }

    private func replay(_ arguments: [String]) throws -> String {
        let run = try MusterProcess.run(["replay"] + arguments, within: 300_000)
        #expect(run.status == 0, "\(run.log)")
        return run.output
    }

    @Test("the one who is missing is told by the names of the trace, in frames of the protocol")
    func alert() throws {
        let folder = try TraceFolder()
        let output = try self.replay([try folder.write(Self.evening(600))])
        let lines = try TraceFolder.objects(output)
        let first = try #require(lines.first)
        #expect(first["type"].string == "gathering")
        #expect(first["group"].string == "climbers")
        #expect(first["together"].elements.map(\.string) == ["ada", "bob"])
        #expect(first["absent"].elements.map(\.string) == ["cy"])
        let alerts = lines.filter { $0["type"].string == "left_without_you" }
        #expect(alerts.map { $0["user"].string } == ["cy"])
        #expect(alerts.first?["variant"].string == "gathered")
        // Time continues after the last line until the gathering has ended.
        #expect(lines.last?["state"].string == "ended")
    }

    @Test("the same trace gives the same bytes: again, gzip'd, and with another tick")
    func determinism() throws {
        let folder = try TraceFolder()
        let made = try MusterProcess.run(["replay", "--generate", "6", "--seed", "7"])
        let trace = try folder.write([made.output.trimmingCharacters(in: .newlines)])
        let output = try self.replay([trace])
        #expect(output.contains("left_without_you"))
        #expect(try self.replay([trace]) == output)
        #expect(try self.replay([trace, "--tick", "250"]) == output)
        try Tool.run("/bin/gzip", [trace])
        #expect(try self.replay([trace + ".gz"]) == output)
    }

    @Test(
        "what is wrong with a line is said with its number and its field, and the line is skipped",
        arguments: [
            (#"{"user":"ada","at":1732060800000,"lat":91,"lon":16}"#, "lat"),
            (#"{"user":"ada","lat":48,"lon":16}"#, "at"),
            (#"{"user":"dan","at":1732060800000,"lat":48,"lon":16}"#, "'dan'"),
            (#"{"user":"ada","at":1732060800000,"sharing":"loudly"}"#, "sharing"),
            (#"{"user":"ada","at":1732060800000,"lat":0,"lon":0}"#, "both be 0"),
            (#"{"group":{"id":"g","members":[]}}"#, "members"), ("fix", "JSON"),
            (String(repeating: "x", count: 9 << 20), "at most 4194304 bytes"),
        ]
    )
    func badLines(line: String, word: String) throws {
        let folder = try TraceFolder()
        let lines = Self.evening(600)
        let plain = try MusterProcess.run(["replay", try folder.write(lines)])
        let run = try MusterProcess.run(["replay", try folder.write([lines[0], line] + lines.dropFirst())])
        #expect(run.status == 0)
        #expect(run.log.contains("line 2: ") && run.log.contains(word) && run.log.contains("skipped"), "\(run.log)")
        #expect(run.output == plain.output && !run.output.isEmpty)
    }

    @Test("a group that moved on and fell silent in the same minute is replayed to its end at once")
    func silentOnTheWay() throws {
        let trace = MusterProcess.checkout.appending(path: "Tests/Fixtures/hang.jsonl").path
        // It takes a tenth of a second, longer on a busy machine. The timeout detects a hang.
        let run = try MusterProcess.run(["replay", trace], within: 10_000)
        #expect(run.status == 0, "\(run.log)")
        let lines = try TraceFolder.objects(run.output)
        #expect(lines.map { $0["state"].string } == ["together", "ended"])
        #expect(lines.map { $0["at"].int } == [1_732_060_803_400, 1_732_068_065_000])
        #expect(lines.allSatisfy { $0["place"]["lat"].double == 48.20818 && $0["place"]["lon"].double == 16.37381 })
    }

    @Test("a compressed trace that ends too early is an error, not a shorter trace")
    func truncated() throws {
        let folder = try TraceFolder()
        let trace = try folder.write(Self.evening(600))
        try Tool.run("/bin/gzip", [trace])
        let whole = try Data(contentsOf: URL(fileURLWithPath: trace + ".gz"))
        try whole.prefix(whole.count / 2).write(to: URL(fileURLWithPath: trace + ".gz"))
        let run = try MusterProcess.run(["replay", trace + ".gz"])
        #expect(run.status == 1)
        #expect(run.log.contains("unexpected end"), "\(run.log)")
    }

    @Test("the explanation of a second evening within the cooldown says that the cooldown was why")
    func cooldown() throws {
        let folder = try TraceFolder()
        // Bob leaves for five minutes, so the gathering ends and begins again within half an hour.
        let trace = try folder.write(Self.evening(1_500, bobAway: 500..<800))
        let output = try self.replay([trace, "--explain", "cy"])
        let reasons = try TraceFolder.objects(output).filter { $0["type"].string == "explanation" }
        let words = reasons.map { $0["what"].string ?? "" }
        #expect(words.count { $0 == "alert gathered" } == 1, "\(words)")
        #expect(words.count { $0 == "alert gathered suppressed by cooldown" } == 1, "\(words)")
        #expect(words.contains("gathering ended"))
        #expect(reasons.allSatisfy { $0["user"].string == "cy" })
        // Without `--explain` the decisions are the same, and no explanation is printed.
        let plain = output.split(separator: "\n").filter { !$0.contains(#""explanation""#) }
        #expect(try self.replay([trace]).split(separator: "\n") == plain)
    }

    @Test("of three days of each story every alert is right, none is missing, and none comes in those of silence")
    func quality() throws {
        let run = try MusterProcess.run(
            ["replay", "--generate", "78", "--seed", "4", "--people", "5", "--score", "--faults"],
            within: 300_000
        )
        let rows = run.output.split(separator: "\n").filter { $0.hasPrefix("| ") }.dropFirst()
            .map { $0.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) } }
        let total = try #require(rows.last)
        #expect(rows.count == 27 && total[0] == "**all**")
        // The days are deterministic. These are their actual results, not limits.
        for row in rows {
            #expect(row[1] == (row == total ? "78" : "3"), "days: \(row)")
            #expect(row[3] == row[2], "right of those due: \(run.output)")
            #expect(row[5] == "0", "unfounded: \(run.output)")
        }
        #expect(total[2] == "39", "due: \(run.output)")
        #expect(try #require(Double(total[9].prefix { $0 != " " })) <= 810, "delay, 95 of 100: \(run.output)")
        #expect(try #require(Double(total[10])) <= 0.001, "flaps: \(run.output)")
    }
}
