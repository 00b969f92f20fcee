import EventLoop
import MusterCore
import Postgres

// How every record is written exactly once
//
// 1. A batch is a prefix of the records that wait, in one transaction. The same transaction writes the batch's number,
//    and the number of this writer, to the one row of `muster.journal_state`.
// 2. Records are forgotten only when their batch is known to be committed or its record known to be impossible.
// 3. When the connection breaks while a batch is under way, the batch is in doubt. The writer connects anew and takes
//    the advisory lock first: that waits for the old backend, which may still be committing. Then `journal_state` says
//    whether the batch is there.
// 4. When another writer held the database meanwhile, its row says nothing of our batch. Then fixes that are durable by
//    `device.acked_seq` are taken out of what waits; the other records can be written twice without harm.
// 5. Notifications are numbered by the transaction that stores them. One that is stored already is known by its subject, so
//    a batch that is written again gets the same numbers; of one that was in doubt they are looked up.
//
// While the server works on a batch, the records behind it are folded into the next one; when the batch fails, that is
// done anew.
//
// A batch whose fixes are all of one day is copied into that day's partition; rejected, it is tried through the whole
// table, which knows better. A batch that the server rejects for its data is halved until the bad record stands alone,
// which is left out. What is no fault of the data (disk full, read-only, no schema) makes the writer wait and try again.

/// The life of the journal's thread.
///
/// Confined to that thread.
final class JournalWriter {
    /// A batch that was sent.
    struct Attempt {
        let number: Int64
        let size: Int
        /// Whether the fixes are copied into the partition of their day.
        let isDirect: Bool
        let progress: DeviceProgress.Plan
    }

    /// Milliseconds after which a connection without work is asked whether it is alive.
    private static let longestSilence: Int64 = 10_000
    /// Records that are folded at a time while the server works.
    ///
    /// As many as there are rows in what is sent at a time, so that a batch is folded by the time that the one before it is
    /// sent; and it takes less time than the server takes for the rows in its socket, so that it never waits.
    private static let foldedAtATime = 2_000

    private let configuration: Journal.Configuration
    private let mailbox: Mailbox<JournalEntry>
    private let signal: WakeSignal
    let ledger: JournalLedger
    private let heartbeat: Heartbeat
    let clock: MonotonicClock
    let log: @Sendable (LogEvent) -> Void
    private let onStateChange: @Sendable (JournalState) -> Void
    private let onCommitted: @Sendable (Int64, [Int64], [NumberedRecord]) -> Void

    let session: PostgresSession
    private var batch = JournalBatch()
    /// What is folded of the next batch while the server works on this one.
    private var nextBatch = JournalBatch()
    /// Whether `batch` holds the first of the records that wait, to be added to.
    private var isBatchBegun = false
    private var table = FixTable()
    /// Whether the partition of a day turned out to be missing or to refuse the rows that wait.
    private var mistrustsPartition = false
    let row = WriterRow()
    private var inbox: [JournalEntry] = []
    var waiting = JournalQueue()
    private var halving = Halving()
    var progress: DeviceProgress
    /// Of each device with a fix that could not be written, the number of the first: `acked_seq` stays below it.
    private var refused: [DeviceID: Int64] = [:]

    /// Whether this writer ever held the database.
    var hasHeldDatabase = false
    var lastBatch: Int64 = 0
    /// The batch whose fate is unknown.
    var inDoubt: Attempt?
    private var backoff = Backoff(shortest: 100, longest: 5000)
    /// When the last batch was begun, and how long it took, in nanoseconds.
    private var lastStart: Int64 = 0
    private var lastCost: Int64 = 0
    /// Failures to connect, to take the database or to write.
    var failures = FailureLog()

    init(
        _ configuration: Journal.Configuration,
        mailbox: Mailbox<JournalEntry>,
        signal: WakeSignal,
        interrupt: WakeSignal,
        ledger: JournalLedger,
        heartbeat: Heartbeat,
        clock: MonotonicClock,
        log: @escaping @Sendable (LogEvent) -> Void,
        onStateChange: @escaping @Sendable (JournalState) -> Void,
        onCommitted: @escaping @Sendable (Int64, [Int64], [NumberedRecord]) -> Void
    ) {
        self.configuration = configuration
        self.progress = DeviceProgress(
            logsFrom: configuration.logsProgressFrom,
            delay: configuration.settlesProgressAfter.nanoseconds
        )
        self.mailbox = mailbox
        self.signal = signal
        self.ledger = ledger
        self.heartbeat = heartbeat
        self.clock = clock
        self.log = log
        self.onStateChange = onStateChange
        self.onCommitted = onCommitted
        self.session = PostgresSession(
            connectionString: configuration.connectionString,
            timeout: configuration.batchTimeout,
            interrupt: interrupt,
            heartbeat: heartbeat,
            clock: clock,
            settings: PlannerSettings.byKey
        )
    }

    /// Runs until the journal is closed.
    func run() {
        while !self.ledger.isStopping {
            do throws(PostgresError) {
                try self.acquireDatabase()
                // Whoever could connect and not write is ready only when a batch is written.
                if !self.failures.isFailing { self.enter(.ready) }
                while !self.ledger.isStopping { try self.turn() }
            } catch {
                self.enter(.connecting)
                self.session.close()
                guard !self.ledger.isStopping else { break }
                self.report(trouble: error)
                self.rest(nanoseconds: self.backoff.fail() * 1_000_000)
            }
        }
        self.session.close()
        self.enter(.closed)
        self.heartbeat.end()
    }

    private func enter(_ phase: JournalState) {
        if self.ledger.enter(phase) { self.onStateChange(phase) }
    }

    /// Writes a batch if there is one, else waits for records and looks after the connection.
    private func turn() throws(PostgresError) {
        self.collect()
        if !self.waiting.isEmpty {
            self.gather()
            return try self.write()
        }
        // What waited was refused for its data: the database itself works.
        self.noteSuccess()
        let start = self.clock.milliseconds
        let timeLeft = self.progress.timeLeft(now: Pacer.now) ?? .max
        guard timeLeft > 0 else { return try self.settleProgress() }
        let silence = min(Self.longestSilence * 1_000_000, timeLeft)
        _ = try self.session.notifications(wake: self.signal, timeout: .nanoseconds(silence))
        // Not when the signal was raised for records that had been collected before: one batch in four would pay for it.
        guard self.clock.milliseconds - start >= Self.longestSilence, !self.ledger.isStopping else { return }
        try self.session.execute("SELECT 1 AS alive")
    }

    func collect() {
        self.mailbox.drain(into: &self.inbox)
        self.waiting.append(self.inbox)
        self.inbox.removeAll(keepingCapacity: true)
    }

    /// Waits for more records, when the last batch was dear and not long ago.
    private func gather() {
        guard self.halving.isIdle, self.waiting.count < self.configuration.batchLimit / 2 else { return }
        let elapsed = Pacer.now - self.lastStart
        let pause = self.configuration.pacer.pause(cost: self.lastCost, elapsed: elapsed)
        guard pause > 0 else { return }
        self.rest(nanoseconds: pause)
        self.collect()
    }

    /// Sleeps for at least so long, but not past the journal's end.
    func rest(nanoseconds: Int64) {
        let end = Pacer.now + nanoseconds
        while !self.ledger.isStopping {
            let left = end - Pacer.now
            guard left > 0 else { return }
            self.heartbeat.wait()
            self.signal.wait(timeoutMilliseconds: Int32(clamping: (left + 999_999) / 1_000_000))
            self.heartbeat.begin()
        }
    }

    private func report(trouble error: PostgresError) {
        let now = self.clock.milliseconds
        let waiting = self.ledger.metrics(now: now).waiting
        let event = self.failures.failed(at: now) {
            LogEvent(.warning, "journal: cannot write, \(waiting) records wait: \(error)")
        }
        if let event { self.log(event) }
    }

    /// Notes that the database takes what is written.
    func noteSuccess() {
        self.backoff.succeed()
        guard self.failures.isFailing else { return }
        self.enter(.ready)
        let event = self.failures.succeeded(at: self.clock.milliseconds) {
            LogEvent(.info, "journal: writes again, \(self.waiting.count) records wait")
        }
        if let event { self.log(event) }
    }
}

// MARK: - Writing

extension JournalWriter {
    /// Writes the next batch, or the next part of one that was rejected.
    private func write() throws(PostgresError) {
        let size = self.halving.size(of: self.waiting.wholeTurns(limit: self.configuration.batchLimit))
        let start = Pacer.now
        let now = Timestamp(milliseconds: self.clock.wallMilliseconds)
        if !self.isBatchBegun { self.batch.removeAll() }
        self.isBatchBegun = false
        self.batch.add(self.waiting.records(self.batch.count..<size), refused: self.refused)
        self.batch.seal()
        let day = self.mistrustsPartition ? nil : self.batch.fixes.day
        let plan = self.progress.plan(deviceCount: self.batch.fixes.devices.count, now: start)
        let attempt = Attempt(number: self.lastBatch + 1, size: size, isDirect: day != nil, progress: plan)
        self.inDoubt = attempt
        self.nextBatch.removeAll()
        let numbers: [NumberedRecord]
        do throws(PostgresError) {
            let results = try self.session.writeBatch(
                copy: self.table.copySQL(day: day),
                rows: self.batch.fixes.rows,
                then: self.batch.statements(
                    after: self.progress.statements(plan, devices: self.batch.fixes.devices, batch: attempt.number),
                    now: now,
                    last: self.row.record(
                        batch: attempt.number,
                        of: attempt.size,
                        at: now,
                        delay: self.ledger.oldestMilliseconds(now: self.clock.milliseconds)
                    )
                ),
                meanwhile: { self.foldNext(after: attempt) }
            )
            numbers = try self.numbers(in: results.last)
        } catch {
            guard error.code == .server || error.code == .skipped, self.session.isConnected else {
                // What is too much for one transaction may not be too much for two.
                if error.code == .timedOut, attempt.size > 1 { self.halving.rejected(attempt.size) }
                throw error
            }
            self.inDoubt = nil
            try self.rejected(attempt, error)
            return
        }
        self.inDoubt = nil
        self.lastStart = start
        self.lastCost = Pacer.now - start
        self.succeeded(attempt, seconds: Double(self.lastCost) / 1e9, numbers: numbers)
        swap(&self.batch, &self.nextBatch)
        self.isBatchBegun = true
    }

    /// Folds some of the records behind those of `attempt` into the next batch.
    private func foldNext(after attempt: Attempt) {
        // What becomes of a refused fix is known only after the batch; and the next half of one is a part of this one.
        guard self.refused.isEmpty, self.halving.isIdle else { return }
        self.collect()
        let behind = self.waiting.wholeTurns(limit: self.configuration.batchLimit, after: attempt.size)
        let folded = self.nextBatch.count
        let end = min(behind, folded + Self.foldedAtATime)
        self.nextBatch.add(self.waiting.records(attempt.size + folded..<attempt.size + end), refused: [:])
        // No more can come to it, and the server need not wait until its rows are in order.
        if end == behind, self.waiting.count - attempt.size > behind { self.nextBatch.seal() }
    }

    /// The numbers of the batch's notifications, of which the last of its statements says them.
    private func numbers(in result: PostgresResult?) throws(PostgresError) -> [NumberedRecord] {
        let notifications = self.batch.notifications
        guard !notifications.isEmpty, let result else { return [] }
        return try NotifyStatement.numbers(in: result).map {
            NumberedRecord(record: notifications[$0.place].number, number: $0.number)
        }
    }

    /// The numbers of the notifications of a batch that turned out to be committed.
    func lookUpNumbers() throws(PostgresError) -> [NumberedRecord] {
        guard !self.batch.notifications.isEmpty else { return [] }
        let statement = NotifyStatement.lookUp(self.batch.notifications.map(\.record))
        return try self.numbers(in: self.session.pipeline([statement]).first)
    }

    func succeeded(_ attempt: Attempt, seconds: Double?, numbers: [NumberedRecord]) {
        self.lastBatch = attempt.number
        self.noteSuccess()
        self.progress.committed(attempt.progress, devices: self.batch.fixes.devices, now: Pacer.now)
        self.ledger.committedBatch(attempt.size, seconds: seconds ?? 0)
        self.halving.succeeded(attempt.size)
        self.mistrustsPartition = false
        for device in self.batch.fixes.resolved { self.refused[device] = nil }
        self.finish(attempt.size, failed: [], numbers: numbers)
    }

    /// Decides what to do about a batch that the server rolled back.
    private func rejected(_ attempt: Attempt, _ error: PostgresError) throws(PostgresError) {
        if error.isRetryable { return }
        if attempt.isDirect {
            self.mistrustsPartition = true
            return
        }
        // Upkeep makes partitions ahead, but not those of a day that a clock was set to since.
        if error.isCheckViolation, try self.makePartitions() { return }
        // An account or a group may have been deleted while the batch was under way; the next look sees it.
        if error.isForeignKeyViolation, self.halving.mayRepeat() { return }
        guard error.isFaultOfTheData else { throw error }
        guard attempt.size == 1 else { return self.halving.rejected(attempt.size) }
        self.halving.isolated()
        guard let entry = self.waiting.first else { return }
        if case .fix(let fix) = entry.record {
            self.refused[fix.device] = min(fix.fix.sequence, self.refused[fix.device] ?? .max)
        }
        self.log(
            LogEvent(.error, "journal: record \(entry.number) (\(entry.record.kind)) cannot be written: \(error)")
        )
        self.finish(1, failed: [entry.number], numbers: [])
    }

    /// Makes the partitions that the batch's fixes lack, of days whose fixes are kept.
    ///
    /// - Throws: what keeps the server from making them; the batch is tried again.
    /// - Returns: whether any was missing.
    private func makePartitions() throws(PostgresError) -> Bool {
        let today = JournalFixes.day(of: Timestamp(milliseconds: self.clock.wallMilliseconds))
        guard let days = self.batch.fixes.days else { return false }
        let first = max(days.lowerBound, today - Int64(self.configuration.retentionDays) - 1)
        let last = min(days.upperBound, today + 2)
        guard first <= last else { return false }
        let row = try self.session.execute(
            "SELECT muster.make_fix_partitions('1970-01-01'::date + $1, '1970-01-01'::date + $2) AS made",
            [.int32(Int32(first)), .int32(Int32(last))]
        ).onlyRow()
        let made = try row?.int32("made") ?? 0
        if made > 0 { self.log(LogEvent(.warning, "journal: partitions were missing", [("made", String(made))])) }
        return made > 0
    }

    /// Forgets the first `count` records and says so.
    private func finish(_ count: Int, failed: [Int64], numbers: [NumberedRecord]) {
        guard let last = self.waiting.removeFirst(count) else { return }
        self.ledger.finished(count, failed: failed.count)
        self.onCommitted(last, failed, numbers)
    }
}
