import Foundation
import MusterCommands

/// `muster-bench`, or `muster bench`: measures this build on this machine.
enum BenchCommand: Command {
    static let name = "bench"
    static let summary = "Measure this build on this machine, with a server and a PostgreSQL of its own."
    static let usage = "KIND [options]"

    /// The benchmarks, in the order of the help.
    static let kinds: [any BenchKind.Type] = [
        FanoutBench.self, IdleBench.self, StormBench.self, JournalBench.self, GatheringsBench.self,
        TickBench.self, SpotsBench.self, WatchesBench.self, TilesBench.self,
        MapsBench.self, PlacesBench.self, GeocodingBench.self, ChatBench.self,
        EventsBench.self,
    ]

    static var discussion: String {
        var text = """
            The bench makes its own PostgreSQL in a temporary folder (every commit reaches the disk), starts the `muster`
            beside it as a server with raised limits, and removes both when it ends. Load is open loop: each fix has a time
            at which it is due, and delays count from there. Measure release builds on a quiet machine.

            Kinds:

            """
        for kind in self.kinds {
            text += "  \(kind.name.padding(toLength: 12, withPad: " ", startingAt: 0))\(kind.summary)\n"
        }
        return text
    }

    private static let shared: Set<String> = ["runs", "json"]

    static let options = [
        Option(
            "sessions",
            .one("N"),
            default: "1000",
            help: "sessions; for journal, gatherings, tick, spots and watches, people; for chat, rooms (events: 10000)"
        ),
        Option("group", .one("G"), default: "10", help: "members of each group"),
        Option(
            "rate",
            .one("R"),
            default: "2000",
            help:
                "fixes a second, of all sessions together (fanout, maps; geocoding: 1000; spots: 10000; watches: one each; events: 1000 changes; chat: messages, at first)"
        ),
        Option(
            "seconds",
            .one("S"),
            default: "10",
            help: "how long one run measures (idle, watches: 25, tick: 200, maps, events: 5)"
        ),
        Option(
            "each",
            .one("N"),
            default: "10",
            help: "watches of each person, and full clients of each group (watches); watches of each event (events: 1)"
        ),
        Option(
            "warm-up",
            .one("S"),
            default: "2",
            help: "how long it goes on before that (fanout, watches; tick: 60, maps: 1)"
        ),
        Option("moved", .one("PERCENT"), default: "1", help: "who moves from one tick to the next (tick)"),
        Option("spots", .one("R"), default: "100", help: "new spots a second (spots)"),
        Option("points", .one("N"), default: "1000000", help: "points on the map (tiles, maps)"),
        Option("radius", .one("M"), default: "5000", help: "metres within which people watch for spots (spots)"),
        Option(
            "places",
            .one("FILE"),
            default: ".build/place-data/cities500.txt",
            help: "a dump of GeoNames (places, geocoding)"
        ),
        Option(
            "queries",
            .one("FILE"),
            default: "Tests/Fixtures/geocode-queries.tsv",
            help: "what to look up (places, geocoding)"
        ),
        Option(
            "places-url",
            .one("URL"),
            help: "an Overpass server that plans over six categories in Helsinki are asked from, once a run (places)"
        ),
        Option("lookups", .one("R"), default: "100", help: "places looked for a second (geocoding)"),
        Option("gateways", .one("N"), default: "1", help: "threads of the server that serve sockets"),
        Option(
            "staleness",
            .one("MS"),
            default: "100",
            help: "the most that p99 staleness may be of a rate that counts as sustained (chat)"
        ),
        Option("sustain", help: "look for the highest rate with p99 staleness below 100 ms (fanout)"),
        Option(
            "beside",
            .one("COMMAND"),
            help:
                "measure another in turn with Muster, started by this shell command: a plain relay that listens on {port} "
                + "(fanout, chat), an index of clusters (tiles; see scripts/supercluster.mjs)"
        ),
        Option("beside-path", .one("PATH"), default: "/", help: "where clients of the relay knock"),
        Option(
            "beside-join",
            .one("TEXT"),
            default: #"{"type":"join","group":{group}}"#,
            help: "what they say first, with {group}, {sender}"
        ),
        Option("beside-joined", .one("TEXT"), default: "joined", help: "what the relay's answer to that contains"),
        Option(
            "beside-message",
            .one("TEXT"),
            default: #"{"type":"location","seq":{number},"id":"u{sender}","lat":{lat},"lon":{lon},"at":{at}}"#,
            help: "what they say then, with {number}; it must come to the others of the group as it is"
        ),
        Option("runs", .one("N"), default: "3", help: "how often to measure; the report shows medians"),
        Option("json", help: "print one JSON object instead of a table"),
    ]

    static func run(_ values: OptionValues) async throws -> Int32 {
        guard let word = values.operands.first, values.operands.count == 1 else {
            throw UsageError("name one kind: \(self.kinds.map { $0.name }.joined(separator: ", "))")
        }
        guard let type = self.kinds.first(where: { $0.name == word }) else {
            throw UsageError("unknown kind '\(word)'")
        }
        for option in self.options
        where values.isGiven(option.name) && !self.shared.union(type.optionNames).contains(option.name) {
            throw UsageError("--\(option.name) is not for \(word)")
        }
        let kind = try type.init(values)
        let context = BenchContext(
            runs: try values.integer("runs", in: 1...100),
            stop: StopFlag(),
            progress: BenchProgress()
        )
        let waiting = context.stop.raiseOnTermination()
        defer { waiting.cancel() }
        let outcome = try await kind.run(context)
        context.progress.clear()
        let report = BenchReport(kind: word, parameters: kind.parameters, outcome: outcome)
        print(values.flag("json") ? report.json : report.table, terminator: "")
        return outcome.failures.isEmpty ? 0 : 1
    }
}
