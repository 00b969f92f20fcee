import EventLoop
import Foundation
import MusterCommands
import MusterCore
import MusterServer
import MusterWire
import Scenario

/// `muster replay`: runs only the world, on a recorded trace, in virtual time.
enum ReplayCommand: Command {
    static let name = "replay"
    static let summary = "Replay a recorded trace and print every gathering and alert."
    static let usage = "TRACE.jsonl | --from-database --group ID --since TIME | --generate DAYS [options]"
    static let discussion = """
        The trace is JSON lines, plain or gzip'd; '-' is standard input. Groups come first, then fixes and changes in
        the order in which they arrived:

          {"group":{"id":"g","members":["a","b","c"],"settings":{"radius":100,"dwell":180}}}
          {"place":{"id":"p","group":"g","name":"Home","lat":48.2,"lon":16.37,"radius":100,"notify":{"a":["b"]}}}
          {"user":"a","at":1732060800000,"lat":48.2082,"lon":16.3738,"accuracy":8}
          {"user":"a","at":1732060900000,"sharing":"paused"}

        A fix may have 'device', 'kind' (the kind of the device: phone, watch, browser or tracker; default phone),
        'seq', 'trigger' and 'receivedAt' (default: the greatest 'at' so far). The output is JSON lines as clients
        receive them, in the order of 'at'. A gathering also has the time of its decision ('at'), and an alert has its
        'user'. The same trace always gives the same output, byte for byte. A line of --explain also has 'taken', the
        time of its fix. After the last line the replay continues for three hours, so that every pending decision is
        made.

        With --from-database the trace is the stored history of a group. Use it to find out why a user did not get an
        alert. The output begins at --since. The day before it is replayed too, because a fix counts for up to a day.
        Gatherings are named after the spots that existed by then; a trace in a file has no spots.

        With --generate a trace is generated instead: users who commute, meet, separate and lose their phones, with the
        fixes of realistic phones, and the true events in separate lines. --score replays such a trace, or generates
        and replays one, and prints how many alerts were right, missed and unfounded.
        """
    static let options = [
        Option("tick", .one("MS"), default: "1000", help: "milliseconds between two evaluations of who is together"),
        Option("explain", .one("USER"), help: "also print the reason of each decision about this user"),
        Option("from-database", help: "replay the history of a group instead of a file"),
        Option("group", .one("ID"), help: "with --from-database: the id of the group"),
        Option("since", .one("TIME"), help: "with --from-database: start, such as 2026-11-20T18:00:00Z or 2026-11-20"),
        Option("until", .one("TIME"), help: "with --from-database: fixes received before this time [all]"),
        Option("database-url", .one("URL"), alias: "DATABASE_URL", help: "the database (also: DATABASE_URL)"),
        Option(
            "data-dir",
            .one("DIR"),
            default: ".muster",
            help: "the folder of the private PostgreSQL, which may be in use by a server"
        ),
        Option("generate", .one("DAYS"), help: "generate a trace of this many group days instead of reading one"),
        Option("people", .one("N|N-M"), default: "3-12", help: "with --generate: members of each group"),
        Option("seed", .one("N"), default: "1", help: "with --generate: the same number produces the same trace"),
        Option("score", help: "compare the alerts with the true events of the trace, and print a table"),
        Option("faults", help: "with --score: also list the missed and the unfounded alerts"),
    ]

    static func run(_ values: OptionValues) async throws -> Int32 {
        let tick = Int64(try values.integer("tick", in: 50...60_000))
        let source = try self.source(values)
        let explained = values.text("explain")
        let isScored = values.flag("score")
        let listsFaults = values.flag("faults")
        try await BlockingWork.run(named: "replay") { () throws in
            if isScored {
                let score = ScenarioScore()
                try source.replay(tick: tick, to: score, noting: score.note)
                score.finish()
                print(ScoreReport(score, listsFaults: listsFaults).table, terminator: "")
            } else if case .generated(let generator) = source, explained == nil {
                try TraceWriter(descriptor: STDOUT_FILENO).write(generator)
            } else {
                let lines = ReplayLines(descriptor: STDOUT_FILENO)
                try source.replay(tick: tick, explaining: explained, to: lines)
            }
        }
        return 0
    }

    /// Options that require another option.
    private static let companions = [
        ("group", "from-database"), ("since", "from-database"), ("until", "from-database"), ("people", "generate"),
        ("seed", "generate"), ("faults", "score"),
    ]

    private static func source(_ values: OptionValues) throws(UsageError) -> ReplaySource {
        for (option, companion) in Self.companions where values.isGiven(option) && !values.isGiven(companion) {
            throw UsageError("--\(option) requires --\(companion)")
        }
        if values.flag("from-database") {
            guard !values.isGiven("generate") else {
                throw UsageError("--from-database must not be combined with --generate")
            }
            return try self.history(values)
        }
        guard values.isGiven("generate") else {
            guard let path = values.operands.first, values.operands.count == 1 else {
                let count = values.operands.count
                throw UsageError(count == 0 ? "TRACE.jsonl is required" : "exactly one trace is possible, not \(count)")
            }
            return .file(path)
        }
        guard values.operands.isEmpty else {
            throw UsageError("--generate must not be combined with a trace: '\(values.operands[0])'")
        }
        return .generated(
            ScenarioGenerator(
                days: try values.integer("generate", in: 1...1_000_000),
                people: try self.people(values),
                seed: UInt64(try values.integer("seed", in: 0...Int.max))
            )
        )
    }

    private static func people(_ values: OptionValues) throws(UsageError) -> ClosedRange<Int> {
        let text = values.text("people") ?? ""
        let ends = text.split(separator: "-", omittingEmptySubsequences: false).compactMap { Int($0) }
        guard let least = ends.first, let most = ends.last, ends.count <= 2, 3 <= least, least <= most, most <= 12
        else {
            throw UsageError("--people must be a number from 3 to 12 or a range such as 3-12, not '\(text)'")
        }
        return least...most
    }

    private static func history(_ values: OptionValues) throws(UsageError) -> ReplaySource {
        guard values.operands.isEmpty else {
            throw UsageError("--from-database must not be combined with a trace: '\(values.operands[0])'")
        }
        guard let group = values.text("group").flatMap({ GroupID($0) }) else {
            throw UsageError("--from-database requires --group ID")
        }
        guard let since = try self.moment("since", values) else {
            throw UsageError("--from-database requires --since TIME")
        }
        let until = try self.moment("until", values)
        let database = values.database
        return .history(HistoryTrace(group: group, since: since, until: until), database)
    }

    private static func moment(_ option: String, _ values: OptionValues) throws(UsageError) -> Timestamp? {
        guard let text = values.text(option) else { return nil }
        let styles = [Date.ISO8601FormatStyle(), Date.ISO8601FormatStyle().year().month().day()]
        guard let date = styles.lazy.compactMap({ try? $0.parse(text) }).first else {
            throw UsageError("--\(option) must be a time such as 2026-11-20T18:00:00Z or 2026-11-20, not '\(text)'")
        }
        return Timestamp(milliseconds: Int64(date.timeIntervalSince1970 * 1000))
    }
}
