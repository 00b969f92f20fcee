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
        The trace is JSON lines, plain or gzip'd; '-' is standard input. Groups come first, then what happened in the
        order in which it arrived:

          {"group":{"id":"g","members":["a","b","c"],"settings":{"radius":100,"dwell":180}}}
          {"user":"a","at":1732060800000,"lat":48.2082,"lon":16.3738,"accuracy":8}
          {"user":"a","at":1732060900000,"sharing":"paused"}

        A fix may have 'device', 'kind' (phone, watch, browser or tracker: what that device is; a phone unless said), 'seq',
        'trigger' and 'receivedAt', which is otherwise the greatest 'at' so far. The output is JSON lines as clients get
        them, a gathering also with when it was decided ('at') and an alert with its 'user', in the order of 'at', and is the
        same for the same trace, byte for byte. A line of --explain also says when the fix was 'taken' that it is about.
        Behind the last line time runs on for three hours, after which nothing that was begun is undecided.

        With --from-database the trace is what PostgreSQL keeps of a group: why did somebody not get an alert? What
        is printed begins with --since; the day before that is replayed too, because who was heard of within a day counts.
        Gatherings are called by the spots that had been added by then; a trace in a file has none.

        With --generate a trace is made instead: people who commute, meet, split and lose their phones, as real phones
        would report them, and in lines of their own what really happened. --score replays a trace of that kind, or makes
        and replays it at once, and tells how many alerts were right, missed and unfounded.
        """
    static let options = [
        Option("tick", .one("MS"), default: "1000", help: "milliseconds between two looks at who is together"),
        Option("explain", .one("USER"), help: "also print why each decision about this person was taken"),
        Option("from-database", help: "replay a group's history instead of a file"),
        Option("group", .one("ID"), help: "which group's (with --from-database)"),
        Option("since", .one("TIME"), help: "from which moment on, such as 2026-11-20T18:00:00Z or 2026-11-20"),
        Option("until", .one("TIME"), help: "up to which arrival [all there is]"),
        Option("database-url", .one("URL"), alias: "DATABASE_URL", help: "the database (also: DATABASE_URL)"),
        Option(
            "data-dir",
            .one("DIR"),
            default: ".muster",
            help: "the folder of the private PostgreSQL, also while it serves"
        ),
        Option("generate", .one("DAYS"), help: "make a trace of so many days of a group, instead of reading one"),
        Option("people", .one("N|N-M"), default: "3-12", help: "people of each group that is made"),
        Option("seed", .one("N"), default: "1", help: "the same number makes the same trace"),
        Option("score", help: "compare with what really happened, and print a table"),
        Option("faults", help: "with --score, also list what was missed and what was unfounded"),
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
            throw UsageError("--\(option) goes with --\(companion)")
        }
        if values.flag("from-database") {
            guard !values.isGiven("generate") else { throw UsageError("--from-database goes without --generate") }
            return try self.history(values)
        }
        guard values.isGiven("generate") else {
            guard let path = values.operands.first, values.operands.count == 1 else {
                let count = values.operands.count
                throw UsageError(count == 0 ? "names no trace" : "takes one trace, not \(count)")
            }
            return .file(path)
        }
        guard values.operands.isEmpty else { throw UsageError("--generate takes no trace: '\(values.operands[0])'") }
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
            throw UsageError("--people takes a number from 3 to 12, or two such as 3-12, not '\(text)'")
        }
        return least...most
    }

    private static func history(_ values: OptionValues) throws(UsageError) -> ReplaySource {
        guard values.operands.isEmpty else {
            throw UsageError("--from-database takes no trace: '\(values.operands[0])'")
        }
        guard let group = values.text("group").flatMap({ GroupID($0) }) else {
            throw UsageError("--from-database needs the id of a group: --group ID")
        }
        guard let since = try self.moment("since", values) else {
            throw UsageError("--from-database needs to know where to begin: --since TIME")
        }
        let until = try self.moment("until", values)
        let database = values.database
        return .history(HistoryTrace(group: group, since: since, until: until), database)
    }

    private static func moment(_ option: String, _ values: OptionValues) throws(UsageError) -> Timestamp? {
        guard let text = values.text(option) else { return nil }
        let styles = [Date.ISO8601FormatStyle(), Date.ISO8601FormatStyle().year().month().day()]
        guard let date = styles.lazy.compactMap({ try? $0.parse(text) }).first else {
            throw UsageError("--\(option) takes a time such as 2026-11-20T18:00:00Z or 2026-11-20, not '\(text)'")
        }
        return Timestamp(milliseconds: Int64(date.timeIntervalSince1970 * 1000))
    }
}
