import Glibc
import MusterCommands
import MusterCore
import Postgres

/// `muster bench gatherings`: all members move, and the gatherings are computed again, in comparison with PostGIS.
///
/// Both have the positions of a round in memory and compute who is together. Muster runs the gathering machines of all
/// groups as the world does at a tick: it applies the waiting fixes, and evaluates links, gatherings, absences and
/// alerts. PostGIS computes a density clustering of each group. The time for loading the positions is not part of the
/// comparison: the world receives each fix on arrival, long before its tick. That time is reported separately. The
/// comparison uses the processor time of one thread each: neither side waits for I/O, and other load on the machine
/// matters less.
struct GatheringsBench: BenchKind {
    static let name = "gatherings"
    static let summary = "gathering detection while all users move, against ST_ClusterDBSCAN of PostGIS"
    static let optionNames: Set<String> = ["sessions", "group"]

    /// Clusters of each group: members are linked within 100 m, in the metres of the local UTM zone.
    static let clusterQuery = """
        SELECT count(DISTINCT (grp, cluster)) AS clusters FROM (
            SELECT grp, ST_ClusterDBSCAN(place, 100, 2) OVER (PARTITION BY grp) AS cluster FROM bench_place
        ) AS clustered WHERE cluster IS NOT NULL
        """

    private static let rounds = 9
    private static let centre = Coordinate(latitude: 48.2082, longitude: 16.3738)

    let people: Int
    let groupSize: Int

    init(_ values: OptionValues) throws(UsageError) {
        self.people = values.isGiven("sessions") ? try values.integer("sessions", in: 10...4_000_000) : 1_000_000
        self.groupSize = try values.integer("group", in: 2...250)
    }

    var parameters: [(name: String, value: String)] {
        [("people", String(self.people)), ("members per group", String(self.groupSize))]
    }

    func run(_ context: BenchContext) async throws -> BenchOutcome {
        try await BenchFixture.with(context) { fixture in
            try await BenchFixture.blocking { try self.measure(fixture, context) }
        }
    }

    /// Blocks.
    private func measure(_ fixture: BenchFixture, _ context: BenchContext) throws -> BenchOutcome {
        var outcome = BenchOutcome()
        let session = PostgresSession(connectionString: fixture.connectionString, timeout: .seconds(900))
        try session.connect()
        for number in 1...context.runs {
            context.progress.show("run \(number) of \(context.runs): the machines")
            var crowd = GatheringCrowd(
                groups: max(1, self.people / self.groupSize),
                size: self.groupSize,
                centre: Self.centre,
                seed: UInt64(number)
            )
            // The first rounds create links and gatherings, so they cost more than later ones.
            for _ in 0..<4 {
                crowd.move()
                crowd.receiveFixes()
                crowd.decide()
            }
            let eventsBefore = crowd.eventCount
            var (arrivals, seconds): ([Double], [Double]) = ([], [])
            for _ in 0..<Self.rounds {
                try context.checkStop()
                crowd.move()
                let arrived = ProcessUsage.processorNanoseconds(of: getpid())
                crowd.receiveFixes()
                let before = ProcessUsage.processorNanoseconds(of: getpid())
                crowd.decide()
                arrivals.append(Double(before - arrived) / 1e9)
                seconds.append(Double(ProcessUsage.processorNanoseconds(of: getpid()) - before) / 1e9)
            }
            let events = Double(crowd.eventCount - eventsBefore) / Double(Self.rounds)
            context.progress.show("run \(number) of \(context.runs): PostGIS")
            try self.fill(session, with: crowd)
            let backend = Int32(try session.execute("SELECT pg_backend_pid()::bigint AS pid").first?.int64("pid") ?? 0)
            var theirs: [Double] = []
            var clusters: Int64 = 0
            for _ in 0..<3 {
                try context.checkStop()
                let before = ProcessUsage.processorNanoseconds(of: backend)
                clusters = try session.execute(Self.clusterQuery).first?.int64("clusters") ?? 0
                theirs.append(Double(ProcessUsage.processorNanoseconds(of: backend) - before) / 1e9)
            }
            let members = Double(crowd.memberCount)
            outcome.runs.append([
                BenchFigure("tick_ms", "machines: all users moved", seconds.median * 1000, "ms"),
                BenchFigure("members_per_second", "machines: members", members / seconds.median, "/s"),
                BenchFigure("ns_per_member", "machines: per member", seconds.median * 1e9 / members, "ns"),
                BenchFigure("seconds_per_million", "machines: a million members", seconds.median * 1e6 / members, "s"),
                BenchFigure("taken_in_ns", "before that: processing of a fix", arrivals.median * 1e9 / members, "ns"),
                BenchFigure("gathered", "machines: groups together", Double(crowd.gatheredCount), ""),
                BenchFigure("events", "machines: events per round", events, ""),
                BenchFigure("postgis_ms", "PostGIS: the same positions", theirs.median * 1000, "ms"),
                BenchFigure("postgis_members_per_second", "PostGIS: members", members / theirs.median, "/s"),
                BenchFigure("postgis_clusters", "PostGIS: clusters found", Double(clusters), ""),
                BenchFigure("ratio", "machines to PostGIS", theirs.median / seconds.median, "×"),
                BenchFigure(
                    "ratio_with_arrivals",
                    "machines to PostGIS, with fix processing",
                    theirs.median / (arrivals.median + seconds.median),
                    "×"
                ),
                BenchFigure("lone_10_ns", "a group of 10, one moved", try self.round(of: 10, .one, context), "ns"),
                BenchFigure("lone_250_ns", "a group of 250, one moved", try self.round(of: 250, .one, context), "ns"),
                BenchFigure("all_250_ns", "a group of 250, all moved", try self.round(of: 250, .all, context), "ns"),
            ])
            if clusters == 0 || crowd.gatheredCount == 0 {
                outcome.failures.append("no group is together, so nothing was evaluated")
            }
        }
        outcome.notes.append(
            "CPU time of one thread each; JIT and parallel workers are off; PostGIS has all data in memory"
        )
        return outcome
    }

    /// The members that move in each group.
    private enum Movers {
        case one
        case all
    }

    /// The cost of a round for one group, in nanoseconds of processor time: the median of 20 rounds over many such
    /// groups.
    private func round(of size: Int, _ movers: Movers, _ context: BenchContext) throws -> Double {
        let groups = max(1, min(10_000, self.people) / size)
        var crowd = GatheringCrowd(groups: groups, size: size, centre: Self.centre, seed: 1)
        for _ in 0..<4 {
            crowd.move()
            crowd.receiveFixes()
            crowd.decide()
        }
        if movers == .one { crowd.stopAllButOne() }
        var nanoseconds: [Double] = []
        // Fixes of the members that do not move stay usable for five minutes.
        for _ in 0..<20 {
            try context.checkStop()
            crowd.move()
            let before = ProcessUsage.threadNanoseconds
            crowd.receiveFixes()
            crowd.decide()
            nanoseconds.append(Double(ProcessUsage.threadNanoseconds - before) / Double(groups))
        }
        return nanoseconds.median
    }

    /// Loads the positions into PostGIS, in metres.
    private func fill(_ session: PostgresSession, with crowd: GatheringCrowd) throws {
        try session.executeScript(
            """
            SET max_parallel_workers_per_gather = 0; SET jit = off; SET work_mem = '1GB';
            DROP TABLE IF EXISTS bench_place;
            CREATE TEMP TABLE bench_place (grp int NOT NULL, place geometry(Point, 32633) NOT NULL)
            """
        )
        let insert = """
            INSERT INTO bench_place
            SELECT grp, ST_Transform(ST_SetSRID(ST_MakePoint(lon, lat), 4326), 32633)
            FROM unnest($1::bigint[], $2::float8[], $3::float8[]) AS new (grp, lat, lon)
            """
        let groups = crowd.memberCount / self.groupSize
        for start in stride(from: 0, to: groups, by: 10_000) {
            let chunk = start..<min(start + 10_000, groups)
            let places = chunk.flatMap { crowd.places(ofGroup: $0) }
            try session.execute(
                insert,
                [
                    .int64Array(chunk.flatMap { Array(repeating: Int64($0), count: self.groupSize) }),
                    .float8Array(places.map(\.latitude)), .float8Array(places.map(\.longitude)),
                ]
            )
        }
        try session.executeScript("CREATE INDEX ON bench_place (grp); ANALYZE bench_place")
    }
}
