import EventLoop
import MusterCore
import Postgres

// How every record is written exactly once
//
// 1. A batch is a prefix of the waiting records, in one transaction. The same transaction writes the batch's number and
//    this writer's number to the one row of `muster.journal_state`.
// 2. Records are removed from the queue only when their batch is known to be committed or the record is known to be
//    unwritable.
// 3. When the connection breaks during a batch, the batch is in doubt. The writer reconnects and acquires the advisory
//    lock first: this waits for the old backend, which may still be committing. Then `journal_state` shows whether the
//    batch was committed.
// 4. When another writer held the database in between, its row contains no information about our batch. Fixes that are
//    durable by `device.acked_seq` are then removed from the waiting records. All other records can be written twice
//    without harm.
// 5. Notifications are numbered by the transaction that stores them. A stored notification is recognised by its
//    subject, so a repeated batch gets the same numbers. For a batch in doubt that was committed, the numbers are
//    looked up.
//
// While the server executes a batch, the following records are folded into the next one. When the batch fails, they are
// folded again.
//
// A batch with fixes of a single day is copied into that day's partition; when that is rejected, the next attempt uses
// the parent table. A batch that the server rejects because of its data is halved until the bad record is alone, which
// is then skipped. For errors with other causes (disk full, read-only, no schema) the writer waits and retries.

/// The main loop of the journal's thread.
///
/// Confined to that thread.
final class JournalWriter {
    /// A batch that was sent.
    struct Attempt {
        let number: Int64
        let size: Int
        /// Whether the fixes are copied directly into a day's partition.
        let isDirect: Bool
        let progress: DeviceProgress.Plan
    }

    /// The idle time after which the connection is checked, in milliseconds.
    private static let longestSilence: Int64 = 10_000
    /// The number of records that are folded at a time while the server works.
    ///
    /// It equals the number of rows that are sent at a time, so that the next batch is folded when the current one is
    /// sent. Folding them takes less time than the server needs for the rows in its socket, so the server never waits.
    private static let foldedAtATime = 2_000

    private let configuration: Journal.Configuration
    private let mailbox: Mailbox<JournalEntry>
    private let signal: WakeSignal
    let tracker: JournalTracker
    private let heartbeat: Heartbeat
    let clock: MonotonicClock
    let log: @Sendable (LogEvent) -> Void
    private let onStateChange: @Sendable (JournalState) -> Void
    private let onCommitted: @Sendable (Int64, [Int64], [NumberedRecord]) -> Void

    let session: PostgresSession
    private var batch = JournalBatch()
    /// The part of the next batch that is folded while the server executes the current one.
    private var nextBatch = JournalBatch()
    /// Whether `batch` already contains the first of the waiting records.
    private var isBatchBegun = false
    private var table = FixTable()
    /// Whether a day's partition was missing or rejected the waiting rows.
    private var mistrustsPartition = false
    let row = WriterRow()
    private var inbox: [JournalEntry] = []
    var waiting = JournalQueue()
    private var halving = Bisection()
    var progress: DeviceProgress
    /// For each device with an unwritable fix, the sequence number of the first one; `acked_seq` stays below it.
    private var refused: [DeviceID: Int64] = [:]

    /// Whether this writer has held the database before.
    var hasOwnedDatabase = false
    var lastBatch: Int64 = 0
    /// The batch with an unknown outcome.
    var inDoubt: Attempt?
    private var backoff = Backoff(shortest: 100, longest: 5000)
    /// The start and the duration of the last batch, in nanoseconds.
    private var lastStart: Int64 = 0
    private var lastCost: Int64 = 0
    /// Whether this writer waits for another server to release the database, also over a lost connection.
    var waitsForOther = false
    /// Failures to connect, to acquire the database or to write.
    var failures = FailureLog()

    init(
        _ configuration: Journal.Configuration,
        mailbox: Mailbox<JournalEntry>,
        signal: WakeSignal,
        interrupt: WakeSignal,
        tracker: JournalTracker,
        heartbeat: Heartbeat,
        clock: MonotonicClock,
        log: @escaping @Sendable (LogEvent) -> Void,
        onStateChange: @escaping @Sendable (JournalState) -> Void,
        onCommitted: @escaping @Sendable (Int64, [Int64], [NumberedRecord]) -> Void
    ) {
        self.configuration = configuration
        self.progress = DeviceProgress(
            logsFrom: configuration.logsProgressFrom,
            delay: configuration.flushesProgressAfter.nanoseconds
        )
        self.mailbox = mailbox
        self.signal = signal
        self.tracker = tracker
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
        while !self.tracker.isStopping {
            do throws(PostgresError) {
                try self.acquireDatabase()
                // After failed writes the journal is ready only once a batch is written.
                if !self.failures.isFailing { self.enter(.ready) }
                while !self.tracker.isStopping { try self.iterate() }
            } catch {
                self.enter(.connecting)
                self.session.close()
                guard !self.tracker.isStopping else { break }
                self.report(trouble: error)
                self.rest(nanoseconds: self.backoff.fail() * 1_000_000)
            }
        }
        self.session.close()
        self.enter(.closed)
        self.heartbeat.end()
    }

    private func enter(_ phase: JournalState) {
        if self.tracker.enter(phase) { self.onStateChange(phase) }
    }

    /// Writes a batch if records wait; otherwise waits for records and checks the connection.
    private func iterate() throws(PostgresError) {
        self.collect()
        if !self.waiting.isEmpty {
            self.gather()
            return try self.write()
        }
        // What waited was refused for its data: the database itself works.
        self.noteSuccess()
        let start = self.clock.milliseconds
        let timeLeft = self.progress.timeLeft(now: Pacer.now) ?? .max
        guard timeLeft > 0 else { return try self.flushProgress() }
        let silence = min(Self.longestSilence * 1_000_000, timeLeft)
        _ = try self.session.notifications(wake: self.signal, timeout: .nanoseconds(silence))
        // Not when the signal was raised for records that were already collected: every fourth batch would pay for the
        // check.
        guard self.clock.milliseconds - start >= Self.longestSilence, !self.tracker.isStopping else { return }
        try self.session.execute("SELECT 1 AS alive")
    }

    func collect() {
        self.mailbox.drain(into: &self.inbox)
        self.waiting.append(self.inbox)
        self.inbox.removeAll(keepingCapacity: true)
    }

    /// Waits for more records when the last batch was expensive and recent.
    private func gather() {
        guard self.halving.isIdle, self.waiting.count < self.configuration.batchLimit / 2 else { return }
        let elapsed = Pacer.now - self.lastStart
        let pause = self.configuration.pacer.pause(cost: self.lastCost, elapsed: elapsed)
        guard pause > 0 else { return }
        self.rest(nanoseconds: pause)
        self.collect()
    }

    /// Sleeps for at least the given time, or until the journal is closed.
    func rest(nanoseconds: Int64) {
        let end = Pacer.now + nanoseconds
        while !self.tracker.isStopping {
            let left = end - Pacer.now
            guard left > 0 else { return }
            self.heartbeat.wait()
            self.signal.wait(timeoutMilliseconds: Int32(clamping: (left + 999_999) / 1_000_000))
            self.heartbeat.begin()
        }
    }

    private func report(trouble error: PostgresError) {
        let now = self.clock.milliseconds
        let waiting = self.tracker.metrics(now: now).waiting
        let event = self.failures.failed(at: now) {
            LogEvent(.warning, "journal: cannot write, \(waiting) records wait: \(error)")
        }
        if let event { self.log(event) }
    }

    /// Records that the database accepts writes.
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

extension JournalWriter {
    /// Writes the next batch, or the next part of a rejected one.
    private func write() throws(PostgresError) {
        let size = self.halving.size(of: self.waiting.wholeBatches(limit: self.configuration.batchLimit))
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
                        delay: self.tracker.oldestMilliseconds(now: self.clock.milliseconds)
                    )
                ),
                meanwhile: { self.foldNext(after: attempt) }
            )
            numbers = try self.numbers(in: results.last)
        } catch {
            guard error.code == .server || error.code == .skipped, self.session.isConnected else {
                // A batch that is too large for one transaction may fit into two.
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

    /// Folds some of the records after those of `attempt` into the next batch.
    private func foldNext(after attempt: Attempt) {
        // The outcome of a refused fix is known only after the batch. While halving, the next part belongs to the
        // current batch.
        guard self.refused.isEmpty, self.halving.isIdle else { return }
        self.collect()
        let behind = self.waiting.wholeBatches(limit: self.configuration.batchLimit, after: attempt.size)
        let folded = self.nextBatch.count
        let end = min(behind, folded + Self.foldedAtATime)
        self.nextBatch.add(self.waiting.records(attempt.size + folded..<attempt.size + end), refused: [:])
        // The next batch is complete, so its rows can be sorted while the server works.
        if end == behind, self.waiting.count - attempt.size > behind { self.nextBatch.seal() }
    }

    /// The numbers of the batch's notifications, from the result of its last statement.
    private func numbers(in result: PostgresResult?) throws(PostgresError) -> [NumberedRecord] {
        let notifications = self.batch.notifications
        guard !notifications.isEmpty, let result else { return [] }
        return try NotifyStatement.numbers(in: result).map {
            NumberedRecord(record: notifications[$0.place].number, number: $0.number)
        }
    }

    /// The numbers of the notifications of a batch that was found to be committed.
    func lookUpNumbers() throws(PostgresError) -> [NumberedRecord] {
        guard !self.batch.notifications.isEmpty else { return [] }
        let statement = NotifyStatement.lookUp(self.batch.notifications.map(\.record))
        return try self.numbers(in: self.session.pipeline([statement]).first)
    }

    func succeeded(_ attempt: Attempt, seconds: Double?, numbers: [NumberedRecord]) {
        self.lastBatch = attempt.number
        self.noteSuccess()
        self.progress.committed(attempt.progress, devices: self.batch.fixes.devices, now: Pacer.now)
        self.tracker.committedBatch(attempt.size, seconds: seconds ?? 0)
        self.halving.succeeded(attempt.size)
        self.mistrustsPartition = false
        for device in self.batch.fixes.resolved { self.refused[device] = nil }
        self.finish(attempt.size, failed: [], numbers: numbers)
    }

    /// Handles a batch that the server rolled back.
    private func rejected(_ attempt: Attempt, _ error: PostgresError) throws(PostgresError) {
        if error.isRetryable { return }
        if attempt.isDirect {
            self.mistrustsPartition = true
            return
        }
        // Hourly maintenance creates partitions ahead, but not for a day that a later change of the clock leads to.
        if error.isCheckViolation, try self.makePartitions() { return }
        // An account or a group may have been deleted during the batch; the next attempt sees that.
        if error.isForeignKeyViolation, self.halving.mayRepeat() { return }
        guard error.isFaultOfTheData else { throw error }
        guard attempt.size == 1 else { return self.halving.rejected(attempt.size) }
        self.halving.isolated()
        guard let entry = self.waiting.first else { return }
        if let fix = entry.record.fix {
            self.refused[fix.device] = min(fix.fix.sequence, self.refused[fix.device] ?? .max)
        }
        self.log(
            LogEvent(.error, "journal: record \(entry.number) (\(entry.record.kind)) cannot be written: \(error)")
        )
        self.finish(1, failed: [entry.number], numbers: [])
    }

    /// Creates the missing partitions for the batch's fixes, within the retention.
    ///
    /// - Throws: the error of the creation; the batch is retried.
    /// - Returns: whether any partition was missing.
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

    /// Removes the first `count` records and reports them as finished.
    private func finish(_ count: Int, failed: [Int64], numbers: [NumberedRecord]) {
        guard let last = self.waiting.removeFirst(count) else { return }
        self.tracker.finished(count, failed: failed.count)
        self.onCommitted(last, failed, numbers)
    }
}
