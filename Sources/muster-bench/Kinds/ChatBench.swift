import EventLoop
import MusterCommands
import MusterCore
import MusterServer
import Postgres
import Synchronization

/// `muster bench chat`: messages in rooms, in three parts.
///
/// 1. Commits by the chat writer, against one transaction per message over 32 connections.
/// 2. Messages through a whole server to all members of the rooms, against a relay that stores nothing.
/// 3. The simultaneous return of all sessions.
struct ChatBench: BenchKind {
    static let name = "chat"
    static let summary = "chat messages per second, their delivery, and the cost of resuming rooms"
    static let optionNames: Set<String> = [
        "sessions", "group", "rate", "seconds", "warm-up", "gateways", "staleness", "beside", "beside-path",
        "beside-join",
        "beside-joined", "beside-message",
    ]
    /// The message of a relay's clients.
    private static let message =
        #"{"type":"chat.send","id":{number},"room":"{group}","key":"b{number}","text":"On my way, ten minutes"}"#

    /// The number of connections of the baseline, with one transaction at a time each.
    private static let connections = 32
    /// The number of messages that wait for the writer at a time.
    private static let senders = 512
    /// The number of timed commits of single messages.
    private static let loneCommits = 200

    let people: Int
    let seconds: Double
    private let deliveries: ChatDeliveries

    init(_ values: OptionValues) throws(UsageError) {
        self.people = try values.integer("sessions", in: 1...20_000)
        self.seconds = try values.number("seconds", in: 0.2...600)
        var values = values
        if !values.isGiven("beside-message") { values.set("beside-message", to: [Self.message]) }
        self.deliveries = ChatDeliveries(
            rooms: self.people,
            group: try values.integer("group", in: 2...250),
            plan: LoadPlan(
                rate: try values.number("rate", in: 1...1_000_000),
                warmUp: try values.number("warm-up", in: 0...60),
                seconds: self.seconds
            ),
            gateways: try values.integer("gateways", in: 1...64),
            staleness: try values.number("staleness", in: 1...60_000),
            baseline: try RelayProtocol.baseline(values)
        )
    }

    var parameters: [(name: String, value: String)] {
        [
            ("rooms", String(self.people)), ("members", String(self.deliveries.group)),
            ("first rate", "\(BenchFigure.plain(self.deliveries.plan.rate))/s"),
            ("seconds", BenchFigure.plain(self.seconds)), ("gateways", String(self.deliveries.gateways)),
        ] + (self.deliveries.baseline == nil ? [] : [("beside", "a relay")])
    }

    func run(_ context: BenchContext) async throws -> BenchOutcome {
        var outcome = try await self.commits(context)
        let coming = ChatReturn(people: self.people * self.deliveries.group, gateways: self.deliveries.gateways)
        for part in [try await self.deliveries.run(context), try await coming.run(context)] {
            for (number, figures) in part.runs.enumerated() { outcome.runs[number] += figures }
            outcome.failures += part.failures
            outcome.notes += part.notes
        }
        return outcome
    }

    /// Measures commits, without a server.
    private func commits(_ context: BenchContext) async throws -> BenchOutcome {
        try await BenchFixture.with(context) { fixture in
            let population = try await BenchPopulation.make(self.people, groupSize: 1, in: fixture.directory, context)
            var outcome = BenchOutcome()
            for number in 1...context.runs {
                var figures: [BenchFigure] = []
                for (key, label, rooms) in [("hot", "one room", 1), ("many", "\(self.people) rooms", self.people)] {
                    context.progress.show("run \(number) of \(context.runs): \(label)")
                    let batched = try await self.rate(Self.senders, context) { index in
                        Load(population, room: index % rooms)
                    } with: {
                        let writer = ChatWriter(.init(connectionString: fixture.connectionString)) { _ in }
                        return (send: { try await $0.send(by: writer) }, end: { await writer.close() })
                    }
                    let plain = try await self.rate(Self.connections, context) { index in
                        Load(population, room: index % rooms)
                    } with: {
                        var configuration = PostgresPool.Configuration(connectionString: fixture.connectionString)
                        configuration.size = Self.connections
                        configuration.pipelineDepth = 1
                        let pool = PostgresPool(configuration)
                        return (send: { try await $0.send(by: pool) }, end: { await pool.close() })
                    }
                    figures += [
                        BenchFigure("\(key)_per_second", "\(label): messages committed", batched.rate, "/s"),
                        BenchFigure(
                            "\(key)_plain_per_second",
                            "\(label): one transaction per message",
                            plain.rate,
                            "/s"
                        ),
                        BenchFigure(
                            "\(key)_ratio",
                            "\(label): writer relative to that",
                            batched.rate / plain.rate,
                            "×"
                        ),
                    ]
                    outcome.failures += batched.failures + plain.failures
                }
                figures += try await self.loneCommits(population, fixture)
                outcome.runs.append(figures)
            }
            outcome.failures += try await self.holes(fixture)
            return outcome
        }
    }

    private struct Load: Sendable {
        private static let numbers = Atomic<Int64>(0)

        let room: RoomID
        let author: UserID

        init(_ population: BenchPopulation, room index: Int) {
            self.room = population.groups[index].room
            self.author = population.people[index].user
        }

        private static var key: String { "b\(self.numbers.add(1, ordering: .relaxed).newValue)" }

        func send(by writer: ChatWriter) async throws {
            let draft = ChatOrder.Draft(key: Self.key, text: "On my way, ten minutes")
            let now = Timestamp(milliseconds: MonotonicClock.system.wallMilliseconds)
            _ = try await writer.write(ChatOrder(.send(draft), in: self.room, by: self.author, at: now))
        }

        /// One statement that locks the room, checks the membership, numbers and writes the message, and commits.
        func send(by pool: PostgresPool) async throws {
            try await pool.query(
                """
                WITH r AS (
                    UPDATE muster.room SET last_seq = last_seq + 1, version = version + 1 WHERE id = $1
                        AND EXISTS (SELECT FROM muster.room_member b WHERE b.room_id = $1 AND b.user_id = $2)
                    RETURNING id, last_seq, version
                )
                INSERT INTO muster.message (room_id, seq, version, key, kind, author_id, at, text)
                SELECT id, last_seq, version, $3, 'text', $2, now(), 'On my way, ten minutes' FROM r
                """,
                [.int64(self.room.rawValue), .int64(self.author.rawValue), .text(Self.key)]
            )
        }
    }

    private typealias Way = (send: @Sendable (Load) async throws -> Void, end: @Sendable () async -> Void)

    /// Runs `senders` tasks that send one message after another, and counts the commits.
    private func rate(
        _ senders: Int,
        _ context: BenchContext,
        _ load: @escaping @Sendable (Int) -> Load,
        with make: () -> Way
    ) async throws -> (rate: Double, failures: [String]) {
        let way = make()
        let clock = MonotonicClock.system
        let start = clock.nanoseconds
        let end = start + Int64(self.seconds * 1e9)
        let (sent, failed) = try await withThrowingTaskGroup(of: (Int, Int).self) { group in
            for sender in 0..<senders {
                group.addTask {
                    var (sent, failed) = (0, 0)
                    while clock.nanoseconds < end {
                        do {
                            try await way.send(load(sender + (sent + failed) * senders))
                            sent += 1
                        } catch {
                            failed += 1
                        }
                        try context.checkStop()
                    }
                    return (sent, failed)
                }
            }
            var all = (0, 0)
            for try await one in group { all = (all.0 + one.0, all.1 + one.1) }
            return all
        }
        let elapsed = Double(clock.nanoseconds - start) / 1e9
        await way.end()
        return (Double(sent) / elapsed, failed > 0 ? ["\(failed) messages failed"] : [])
    }

    /// The time for one message without other load, by the writer and by a single statement.
    private func loneCommits(_ population: BenchPopulation, _ fixture: BenchFixture) async throws -> [BenchFigure] {
        let writer = ChatWriter(.init(connectionString: fixture.connectionString)) { _ in }
        let pool = PostgresPool(PostgresPool.Configuration(connectionString: fixture.connectionString))
        let load = Load(population, room: 0)
        var (batched, plain): ([Double], [Double]) = ([], [])
        for _ in 0..<Self.loneCommits {
            batched.append(try await Self.milliseconds { try await load.send(by: writer) })
            plain.append(try await Self.milliseconds { try await load.send(by: pool) })
        }
        await writer.close()
        await pool.close()
        batched.sort()
        plain.sort()
        return [
            BenchFigure("lone_p50_ms", "one message by the writer, p50", batched[batched.count / 2], "ms"),
            BenchFigure("lone_p99_ms", "one message by the writer, p99", batched[batched.count * 99 / 100], "ms"),
            BenchFigure("lone_plain_p50_ms", "one message by a single statement, p50", plain[plain.count / 2], "ms"),
        ]
    }

    private static func milliseconds(_ body: () async throws -> Void) async throws -> Double {
        let start = MonotonicClock.system.nanoseconds
        try await body()
        return Double(MonotonicClock.system.nanoseconds - start) / 1e6
    }

    /// Checks that the messages of each room are numbered without gaps.
    private func holes(_ fixture: BenchFixture) async throws -> [String] {
        let pool = PostgresPool(PostgresPool.Configuration(connectionString: fixture.connectionString))
        let result = try await pool.query(
            """
            SELECT count(*) AS wrong FROM muster.room r
            WHERE r.last_seq <> (SELECT count(*) FROM muster.message m WHERE m.room_id = r.id)
            """
        )
        await pool.close()
        let wrong = try result.first?.int64("wrong") ?? 0
        return wrong == 0 ? [] : ["\(wrong) rooms have gaps in their numbers"]
    }
}
