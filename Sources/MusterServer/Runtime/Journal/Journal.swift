package import EventLoop
package import MusterCore

/// Writes the world's records to PostgreSQL, in order, in batches, each exactly once.
///
/// One thread with one connection writes. An advisory lock makes it the database's only writer. While PostgreSQL is
/// unavailable, records wait in memory. `JournalWriter` describes how exactly-once is achieved.
package final class Journal: Sendable {
    /// The settings of the journal.
    package struct Configuration: Sendable {
        /// A libpq connection string or URL.
        package var connectionString: String
        /// The maximum number of records in one transaction.
        package var batchLimit = 30_000
        /// The timeout of a transaction.
        var batchTimeout: Duration = .seconds(30)
        /// How long records wait for more records, depending on the cost of the last batch.
        ///
        /// A batch of twenty fixes or of two hundred wakes three processes, starts four statements and commits. The
        /// first record after an idle period is written at once.
        var pacer = Pacer(share: 10, shortest: 1_000_000, longest: 100_000_000)
        /// The minimum number of devices in a batch whose progress is logged in one row instead of the devices' rows.
        var logsProgressFrom = 32
        /// The maximum delay of the logged progress.
        ///
        /// It must be much shorter than the time for which the world holds a device after its last fix: see
        /// `DeviceProgress`.
        var flushesProgressAfter: Duration = .seconds(10)
        /// The retention of fixes in days; missing partitions are created within it.
        package var retentionDays = 30

        /// Creates the default configuration.
        package init(connectionString: String) { self.connectionString = connectionString }
    }

    /// The heartbeat of the journal's thread.
    let heartbeat = Heartbeat("journal")
    private let tracker = JournalTracker()
    private let signal: WakeSignal
    private let interrupt = WakeSignal()
    private let mailbox: Mailbox<JournalEntry>
    private let clock: MonotonicClock
    private let thread: WorkerThread

    /// Starts the journal's thread, which connects at once.
    ///
    /// - Parameters:
    ///   - configuration: the connection and the limits.
    ///   - clock: measures ages and delays.
    ///   - log: called once for each change of the connection's health, and for each record that cannot be written.
    ///   - onStateChange: called on the journal's thread.
    ///   - onCommitted: called on the journal's thread after each commit. Its arguments are the number of the last
    ///     finished record, the numbers of failed records, and the numbers that storage assigned.
    package init(
        _ configuration: Configuration,
        clock: MonotonicClock = .system,
        log: @escaping @Sendable (LogEvent) -> Void = { _ in },
        onStateChange: @escaping @Sendable (JournalState) -> Void = { _ in },
        onCommitted: @escaping @Sendable (_ through: Int64, _ failed: [Int64], _ numbers: [NumberedRecord]) -> Void
    ) {
        let signal = WakeSignal()
        let mailbox = Mailbox<JournalEntry> { signal.raise() }
        self.signal = signal
        self.mailbox = mailbox
        self.clock = clock
        self.thread = WorkerThread(name: "journal") { [tracker, interrupt, heartbeat] in
            JournalWriter(
                configuration,
                mailbox: mailbox,
                signal: signal,
                interrupt: interrupt,
                tracker: tracker,
                heartbeat: heartbeat,
                clock: clock,
                log: log,
                onStateChange: onStateChange,
                onCommitted: onCommitted
            ).run()
        }
    }

    /// The current state.
    package var state: JournalState { self.tracker.phase }

    /// The current counters.
    package var metrics: JournalMetrics { self.tracker.metrics(now: self.clock.milliseconds) }

    /// Enqueues records, in order; never blocks.
    ///
    /// Records that are submitted together are committed together. The array is emptied and keeps its capacity. Called
    /// by one thread at a time, the owner of the world.
    package func submit(_ entries: inout [JournalEntry]) {
        guard !entries.isEmpty else { return }
        entries[entries.count - 1].endsIteration = true
        self.tracker.submitted(entries.count, now: self.clock.milliseconds)
        self.mailbox.send(contentsOf: &entries)
    }

    /// Blocks until all submitted records are finished, or `timeout` has passed.
    ///
    /// - Returns: whether all records are finished.
    package func flush(timeout: Duration) -> Bool {
        let milliseconds = timeout.nanoseconds / 1_000_000
        return self.tracker.waitUntilDone(timeoutMilliseconds: Int32(clamping: max(0, milliseconds)))
    }

    /// Ends the thread and releases the database; blocks until the thread has ended.
    ///
    /// Records that were not flushed before are lost.
    package func close() {
        guard self.tracker.stop() else { return }
        self.interrupt.raise()
        self.signal.raise()
        self.thread.join()
    }
}

extension Duration {
    /// The duration in whole nanoseconds.
    var nanoseconds: Int64 { self.components.seconds * 1_000_000_000 + self.components.attoseconds / 1_000_000_000 }
}
