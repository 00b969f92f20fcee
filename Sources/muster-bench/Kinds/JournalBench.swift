import EventLoop
import Glibc
import MusterCommands
import MusterCore
import MusterServer
import MusterWire
import Postgres
import Synchronization

/// `muster bench journal`: fixes into PostgreSQL by the real journal, with a plain COPY of the same rows as the
/// baseline.
struct JournalBench: BenchKind {
    static let name = "journal"
    static let summary = "fixes per second into PostgreSQL, against a plain binary COPY of the same rows"
    static let optionNames: Set<String> = ["sessions", "seconds"]
    /// The maximum number of waiting batches: enough for whole batches, with little time spent on queues.
    private static let backlog = 3

    let people: Int
    let seconds: Double

    init(_ values: OptionValues) throws(UsageError) {
        self.people = try values.integer("sessions", in: 1...200_000)
        self.seconds = try values.number("seconds", in: 0.2...600)
    }

    var parameters: [(name: String, value: String)] {
        [("people", String(self.people)), ("seconds", BenchFigure.plain(self.seconds))]
    }

    func run(_ context: BenchContext) async throws -> BenchOutcome {
        try await BenchFixture.with(context) { fixture in
            let population = try await BenchPopulation.make(self.people, groupSize: 1, in: fixture.directory, context)
            var senders: [FixRows.Sender] = []
            for person in population.people {
                let device = Hello.Device(key: "bench", kind: .phone)
                let arrival = try await fixture.directory.hello(token: person.token, device: device).arrival
                senders.append(FixRows.Sender(user: person.user, device: arrival.device))
                if senders.count.isMultiple(of: 100) { context.progress.show("hello", senders.count, of: self.people) }
                try context.checkStop()
            }
            let all = senders
            return try await BenchFixture.blocking { try self.measure(all, fixture, context) }
        }
    }

    /// Blocks.
    private func measure(
        _ senders: [FixRows.Sender],
        _ fixture: BenchFixture,
        _ context: BenchContext
    ) throws -> BenchOutcome {
        var outcome = BenchOutcome()
        var rows = FixRows(senders)
        let session = PostgresSession(connectionString: fixture.connectionString)
        try session.connect()
        try session.executeScript("CREATE TABLE muster.bench_plain (LIKE muster.fix)")
        for number in 1...context.runs {
            context.progress.show("run \(number) of \(context.runs): the journal")
            let journal = try self.journalRate(&rows, session, fixture, context, &outcome)
            context.progress.show("run \(number) of \(context.runs): plain COPY")
            let plain = try self.copyRate(&rows, into: "muster.bench_plain", session, fixture, context)
            let table = try self.copyRate(&rows, into: "muster.fix", session, fixture, context)
            context.progress.show("run \(number) of \(context.runs): small batches")
            let delays = try CommitDelay.measure(&rows, seconds: self.seconds, fixture, context)
            outcome.runs.append([
                BenchFigure("journal_per_second", "journal: fixes committed", journal.rate, "/s"),
                BenchFigure("plain_copy_per_second", "plain COPY, a table without indexes", plain.rate, "/s"),
                BenchFigure("fix_copy_per_second", "plain COPY, muster.fix with its indexes", table.rate, "/s"),
                BenchFigure("ratio", "journal to plain COPY", journal.rate / plain.rate, "×"),
                BenchFigure("fix_ratio", "journal to COPY into muster.fix", journal.rate / table.rate, "×"),
                BenchFigure("batch", "fixes in a batch of the journal", journal.batch, ""),
                BenchFigure("postgres_us", "PostgreSQL CPU per fix of the journal", journal.postgres, "µs"),
                BenchFigure("plain_postgres_us", "PostgreSQL CPU per row of plain COPY", plain.postgres, "µs"),
                BenchFigure("thread_us", "journal thread CPU per fix", journal.thread, "µs"),
                BenchFigure("commit_p50_ms", "commit of 100 fixes every 10 ms, p50", delays.milliseconds(0.5), "ms"),
                BenchFigure("commit_p99_ms", "commit of 100 fixes every 10 ms, p99", delays.milliseconds(0.99), "ms"),
            ])
        }
        outcome.notes.append(
            "as in the server, a batch also contains positions (one per user in up to 5 s under such a load) "
                + "and the progress of devices"
        )
        return outcome
    }

    private func journalRate(
        _ rows: inout FixRows,
        _ session: PostgresSession,
        _ fixture: BenchFixture,
        _ context: BenchContext,
        _ outcome: inout BenchOutcome
    ) throws -> (rate: Double, batch: Double, postgres: Double, thread: Double) {
        let clock = MonotonicClock.system
        try session.executeScript("TRUNCATE muster.fix")
        let wake = WakeSignal()
        let failures = Mutex(0)
        let configuration = Journal.Configuration(connectionString: fixture.connectionString)
        let journal = Journal(configuration) { _, failed, _ in
            if !failed.isEmpty { failures.withLock { $0 += failed.count } }
            wake.raise()
        }
        defer { journal.close() }
        for _ in 0..<1000 where journal.state != .ready { wake.wait(timeoutMilliseconds: 10) }
        let first = rows.count
        let batches = journal.metrics.batches
        let used = ProcessUsage.familyProcessorNanoseconds(of: fixture.postgresProcess)
        let threadUsed = Self.journalThreadNanoseconds()
        let start = clock.nanoseconds
        let end = start + Int64(self.seconds * 1e9)
        var entries: [JournalEntry] = []
        while clock.nanoseconds < end {
            let waiting = journal.metrics.waiting
            guard waiting < Self.backlog * configuration.batchLimit else {
                wake.wait(timeoutMilliseconds: 100)
                continue
            }
            rows.makeEntries(1000, now: clock.wallMilliseconds, backlog: waiting, into: &entries)
            journal.submit(&entries)
            try context.checkStop()
        }
        // All submitted records count, with the time until they are durable.
        guard journal.flush(timeout: .seconds(60)) else { throw BenchError("the journal was not flushed within 60 s") }
        let elapsed = Double(clock.nanoseconds - start) / 1e9
        let postgres = ProcessUsage.familyProcessorNanoseconds(of: fixture.postgresProcess) - used
        let thread = Self.journalThreadNanoseconds() - threadUsed
        let fixes = rows.count - first
        let stored = try session.execute("SELECT count(*) AS number FROM muster.fix").first?.int64("number") ?? 0
        let failed = failures.withLock { $0 }
        if stored != Int64(fixes) || failed > 0 {
            outcome.failures.append("\(fixes) fixes were journaled, \(stored) are in muster.fix, \(failed) failed")
        }
        let made = max(1, journal.metrics.batches - batches)
        return (
            Double(fixes) / elapsed, Double(fixes) / Double(made), Double(postgres) / 1000 / Double(fixes),
            Double(thread) / 1000 / Double(fixes)
        )
    }

    private static func journalThreadNanoseconds() -> Int64 {
        ProcessUsage.threadProcessorNanoseconds(of: getpid())["journal"] ?? 0
    }

    private func copyRate(
        _ rows: inout FixRows,
        into table: String,
        _ session: PostgresSession,
        _ fixture: BenchFixture,
        _ context: BenchContext
    ) throws -> (rate: Double, postgres: Double) {
        let clock = MonotonicClock.system
        try session.executeScript("TRUNCATE \(table)")
        // As many rows at a time as the journal's largest batch.
        let size = Journal.Configuration(connectionString: fixture.connectionString).batchLimit
        var writer = CopyWriter.forFixes()
        let used = ProcessUsage.familyProcessorNanoseconds(of: fixture.postgresProcess)
        let start = clock.nanoseconds
        var copied = 0
        while clock.nanoseconds - start < Int64(self.seconds * 1e9) {
            writer.removeAll()
            for _ in 0..<size { rows.appendRow(now: clock.wallMilliseconds, to: &writer) }
            copied += try session.copyIn("COPY \(table) FROM STDIN (FORMAT binary)", rows: writer)
            try context.checkStop()
        }
        let elapsed = Double(clock.nanoseconds - start) / 1e9
        let postgres = ProcessUsage.familyProcessorNanoseconds(of: fixture.postgresProcess) - used
        return (Double(copied) / elapsed, Double(postgres) / 1000 / Double(copied))
    }
}
