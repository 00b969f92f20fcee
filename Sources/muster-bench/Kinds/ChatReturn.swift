import EventLoop
import MusterCore
import Postgres

/// Measures the load on PostgreSQL when all sessions return at once to rooms without new messages.
///
/// Statements are counted by `pg_stat_statements`. At the end a message must still reach all members.
struct ChatReturn {
    /// The number of rooms of each user.
    private static let roomsEach = 10
    /// The number of rooms with a message at the end.
    private static let said = 20
    private static let timeout: Int64 = 60_000

    let people: Int
    let gateways: Int

    /// Measures as many runs as the context requests.
    func run(_ context: BenchContext) async throws -> BenchOutcome {
        try await BenchFixture.with(context, countsStatements: true) { fixture in
            let population = try await BenchPopulation.make(self.people, groupSize: 0, in: fixture.directory, context)
            context.progress.show("creating groups")
            try await BenchFixture.blocking { try self.addGroups(of: population, fixture) }
            return try await fixture.withServer(context, sessions: self.people, gateways: self.gateways) { server in
                var outcome = try await BenchFixture.loading { try self.measure(population, server, fixture, context) }
                outcome.notes += fixture.serverWarnings.map { "server: \($0)" }
                return outcome
            }
        }
    }

    /// The number of rooms of a user.
    private var rooms: Int { min(Self.roomsEach, self.people) }

    /// The groups of a user: their own, and those of the preceding users.
    private func groups(of person: Int) -> [GroupID] {
        (0..<self.rooms).map { GroupID(Int64((person + self.people - $0) % self.people + 1)) }
    }

    /// Creates a group for each user, with the following users as members; triggers create the rooms.
    private func addGroups(of population: BenchPopulation, _ fixture: BenchFixture) throws {
        let session = PostgresSession(connectionString: fixture.connectionString, timeout: .seconds(600))
        try session.connect()
        defer { session.close() }
        let users = population.people.map(\.user.rawValue)
        for start in stride(from: 0, to: self.people, by: 500) {
            let firsts = start..<min(start + 500, self.people)
            let seats = firsts.flatMap { first in (0..<self.rooms).map { (first, (first + $0) % self.people, $0) } }
            try session.pipeline([
                PostgresStatement(
                    """
                    INSERT INTO muster.grp (id, name, radius, dwell, max_absent, cooldown, created_at)
                    SELECT x.id, 'bench-' || x.id, 150, 180, 2, 1200, now() FROM unnest($1::bigint[]) AS x(id)
                    """,
                    [.int64Array(firsts.map { Int64($0 + 1) })]
                ),
                PostgresStatement(
                    """
                    INSERT INTO muster.membership (group_id, user_id, role, visible_since, joined_at)
                    SELECT x.group_id, x.user_id, x.role::muster.member_role, now(), now()
                    FROM unnest($1::bigint[], $2::bigint[], $3::text[]) AS x(group_id, user_id, role)
                    """,
                    [
                        .int64Array(seats.map { Int64($0.0 + 1) }), .int64Array(seats.map { users[$0.1] }),
                        .textArray(seats.map { $0.2 == 0 ? "owner" : "member" }),
                    ]
                ),
            ])
        }
        for table in ["grp", "membership", "room", "room_member", "message"] {
            try session.execute("ANALYZE muster.\(table)")
        }
    }

    /// Blocks.
    private func measure(
        _ population: BenchPopulation,
        _ server: ServerProcess,
        _ fixture: BenchFixture,
        _ context: BenchContext
    ) throws -> BenchOutcome {
        let database = PostgresSession(connectionString: fixture.connectionString, timeout: .seconds(60))
        try database.connect()
        defer { database.close() }
        let groups: [[GroupID]] = population.people.indices.map { self.groups(of: $0) }
        let handshake = RoomsHandshake(tokens: population.people.map(\.token)) { groups[$0] }
        let fleet = SessionFleet(self.people, server: server.endpoint, handshake: handshake)
        let meter = UsageMeter(server: server.processID, postgres: fixture.postgresProcess)
        try fleet.connect(window: 256, timeout: 600_000, context)
        handshake.resumes = true
        let clock = MonotonicClock.system
        var outcome = BenchOutcome()
        for number in 1...context.runs {
            context.progress.step("run \(number) of \(context.runs): \(self.people) users reconnect")
            fleet.cutAll()
            // The old sockets are closed first: the server has capacity for each user only once.
            try fleet.listen(seconds: 2, context)
            try database.execute("SELECT pg_stat_statements_reset()::text AS done")
            let before = meter.read()
            let start = clock.nanoseconds
            try fleet.connect(window: self.people, timeout: 600_000, context)
            let back = Double((fleet.readyAt.max() ?? start) - start) / 1e6
            // Rooms are read after the rosters, without a completion signal, so wait until the queries stop.
            let (all, rooms) = try self.finalCounts(database, fleet, context)
            let used = meter.read().since(before)
            let each = Double(rooms) / Double(self.people)
            if rooms < self.people { outcome.failures.append("only \(rooms) statements read rooms") }
            if each >= Double(self.rooms) { outcome.failures.append("each room is read by its own statement") }
            outcome.runs.append([
                BenchFigure("return_room_statements", "reconnect: room statements per session", each, ""),
                BenchFigure(
                    "return_statements",
                    "reconnect: all statements per session",
                    Double(all) / Double(self.people),
                    ""
                ),
                BenchFigure("return_last_ms", "last session back after", back, "ms"),
                BenchFigure(
                    "return_server_us",
                    "server CPU per session",
                    Double(used.server) / 1000 / Double(self.people),
                    "µs"
                ),
                BenchFigure(
                    "return_postgres_us",
                    "PostgreSQL CPU per session",
                    Double(used.postgres) / 1000 / Double(self.people),
                    "µs"
                ),
            ])
        }
        let missing = try self.say(in: groups, fleet, context)
        if missing > 0 { outcome.failures.append("\(missing) users did not receive the messages of their rooms") }
        if fleet.dropped > 0 { outcome.failures.append("\(fleet.dropped) sessions were dropped") }
        return outcome
    }

    /// The number of statements, once there were none about rooms for a second.
    private func finalCounts(
        _ database: PostgresSession,
        _ fleet: SessionFleet,
        _ context: BenchContext
    ) throws -> (all: Int64, rooms: Int64) {
        var last: Int64 = -1
        while true {
            let row = try database.execute(
                """
                SELECT coalesce(sum(calls), 0)::bigint AS calls,
                    coalesce(sum(calls) FILTER (WHERE query LIKE '%muster.room%'), 0)::bigint AS rooms
                FROM pg_stat_statements WHERE query NOT LIKE '%pg_stat_statements%'
                """
            ).onlyRow()
            let (all, rooms) = (try row?.int64("calls") ?? 0, try row?.int64("rooms") ?? 0)
            if rooms == last { return (all, rooms) }
            last = rooms
            try fleet.listen(seconds: 1, context)
        }
    }

    /// Sends a message to some rooms.
    ///
    /// - Returns: the number of members that did not receive it.
    private func say(in groups: [[GroupID]], _ fleet: SessionFleet, _ context: BenchContext) throws -> Int {
        var awaited: Set<[Int]> = []
        let firsts = Array(stride(from: 0, to: self.people, by: max(1, self.people / Self.said)))
        for first in firsts {
            for place in 0..<self.rooms { awaited.insert([(first + place) % self.people, first + 1]) }
        }
        fleet.onFrame = { session, frame in
            guard ByteScanner.begins(frame, with: #"{"type":"chat","#),
                let room = UpdateScanner.number(after: #""room":""#, in: frame)
            else { return }
            awaited.remove([session, Int(room)])
        }
        for first in firsts {
            let frame = #"{"type":"chat.send","id":1,"room":"\#(first + 1)","key":"k","text":"Who is back?"}"#
            Array(frame.utf8).withUnsafeBytes { fleet.send($0, from: first) }
        }
        let clock = MonotonicClock.system
        let deadline = clock.milliseconds + Self.timeout
        while !awaited.isEmpty, clock.milliseconds < deadline {
            fleet.iterate(timeoutNanoseconds: 10_000_000)
            try context.checkStop()
        }
        fleet.onFrame = { _, _ in }
        return awaited.count
    }
}
