import Foundation
import MusterCommands

/// `muster-bench`, or `muster bench`: measures this build on this machine.
enum BenchCommand: Command {
    static let name = "bench"
    static let summary = "Measure this build on this machine with its own server and PostgreSQL."
    static let usage = "KIND [options]"

    /// The benchmarks, in the order of the help.
    static let kinds: [any BenchKind.Type] = [
        FanoutBench.self, IdleBench.self, StormBench.self, JournalBench.self, GatheringsBench.self,
        TickBench.self, PlacesRuleBench.self, SpotsBench.self, WatchesBench.self, TilesBench.self,
        MapsBench.self, PlacesBench.self, GeocodingBench.self, ChatBench.self,
        EventsBench.self,
    ]

    static var discussion: String {
        var text = """
            The bench starts its own PostgreSQL in a temporary folder, with every commit on disk, and the `muster` beside it
            as a server with raised limits. Both are removed at the end. The load is open loop: each fix is due at a
            fixed time, and delays count from then. Measure release builds on a quiet machine.

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
            help: "sessions; users for journal, gatherings, tick, spots and watches; rooms for chat (events: 10000)"
        ),
        Option("group", .one("G"), default: "10", help: "members of each group"),
        Option(
            "rate",
            .one("R"),
            default: "2000",
            help:
                "total fixes per second (fanout, maps; geocoding: 1000; spots: 10000; watches: one each; events: 1000 changes; chat: initial messages)"
        ),
        Option(
            "seconds",
            .one("S"),
            default: "10",
            help: "duration of a measurement (idle, watches: 25, tick: 200, maps, events: 5)"
        ),
        Option(
            "each",
            .one("N"),
            default: "10",
            help: "watch sessions per user and full clients per group (watches); watch sessions per event (events: 1)"
        ),
        Option(
            "warm-up",
            .one("S"),
            default: "2",
            help: "duration of the warm-up before it (fanout, watches; tick: 60, maps: 1)"
        ),
        Option("moved", .one("PERCENT"), default: "1", help: "share of users who move in each tick (tick)"),
        Option("spots", .one("R"), default: "100", help: "new spots per second (spots)"),
        Option("points", .one("N"), default: "1000000", help: "points on the map (tiles, maps)"),
        Option("radius", .one("M"), default: "5000", help: "radius of the spot subscriptions in metres (spots)"),
        Option(
            "places",
            .one("FILE"),
            default: ".build/place-data/cities500.txt",
            help: "a GeoNames dump (places, geocoding)"
        ),
        Option(
            "queries",
            .one("FILE"),
            default: "Tests/Fixtures/geocode-queries.tsv",
            help: "table of the queries (places, geocoding)"
        ),
        Option(
            "places-url",
            .one("URL"),
            help: "an Overpass server for plans over six categories in Helsinki, one request per run (places)"
        ),
        Option("lookups", .one("R"), default: "100", help: "place lookups per second (geocoding)"),
        Option("gateways", .one("N"), default: "1", help: "threads of the server that serve sockets"),
        Option(
            "staleness",
            .one("MS"),
            default: "100",
            help: "maximum p99 staleness of a sustained rate (chat)"
        ),
        Option("sustain", help: "find the highest rate with p99 staleness below 100 ms (fanout)"),
        Option(
            "beside",
            .one("COMMAND"),
            help:
                "also measure a baseline, started by this shell command: a plain relay that listens on {port} "
                + "(fanout, chat) or a cluster index (tiles, see scripts/supercluster.mjs)"
        ),
        Option("beside-path", .one("PATH"), default: "/", help: "path at which clients connect to the relay"),
        Option(
            "beside-join",
            .one("TEXT"),
            default: #"{"type":"join","group":{group}}"#,
            help: "first message of a client, with {group} and {sender}"
        ),
        Option("beside-joined", .one("TEXT"), default: "joined", help: "text that the relay's answer to it contains"),
        Option(
            "beside-message",
            .one("TEXT"),
            default: #"{"type":"location","seq":{number},"id":"u{sender}","lat":{lat},"lon":{lon},"at":{at}}"#,
            help: "later messages of a client, with {number}; the relay must forward them unchanged to the group"
        ),
        Option("runs", .one("N"), default: "3", help: "number of runs; the report shows medians"),
        Option("json", help: "print one JSON object instead of a table"),
    ]

    static func run(_ values: OptionValues) async throws -> Int32 {
        guard let word = values.operands.first, values.operands.count == 1 else {
            throw UsageError("KIND is required, one of: \(self.kinds.map { $0.name }.joined(separator: ", "))")
        }
        guard let type = self.kinds.first(where: { $0.name == word }) else {
            throw UsageError("unknown kind '\(word)' (see muster bench --help)")
        }
        for option in self.options
        where values.isGiven(option.name) && !self.shared.union(type.optionNames).contains(option.name) {
            throw UsageError("--\(option.name) is not an option of \(word)")
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
