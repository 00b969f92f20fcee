package import EventLoop
package import MusterCore

/// Writes the world's records to PostgreSQL, in order, in batches, each exactly once.
///
/// One thread with one connection, which holds an advisory lock for the database's only writer. While PostgreSQL is
/// away records wait in memory. See `JournalWriter` for how exactly once is kept.
package final class Journal: Sendable {
    /// How the journal works.
    package struct Configuration: Sendable {
        /// A libpq connection string or URL.
        package var connectionString: String
        /// The most records in one transaction.
        package var batchLimit = 30_000
        /// How long a transaction may take.
        package var batchTimeout: Duration = .seconds(30)
        /// How long records wait for others, by what the last batch cost.
        ///
        /// A batch of twenty fixes or two hundred wakes three processes, begins four statements and commits. The first
        /// record after a while is written at once.
        package var pacer = Pacer(share: 10, shortest: 1_000_000, longest: 100_000_000)
        /// A batch of at least so many devices leaves their rows for later, and says in one row how far they got.
        package var logsProgressFrom = 32
        /// How much later.
        ///
        /// Much shorter than the world holds a device after its last fix: see `DeviceProgress`.
        package var settlesProgressAfter: Duration = .seconds(10)
        /// Days for which fixes are kept: of those a missing partition is made.
        package var retentionDays = 30

        /// Creates the usual configuration.
        package init(connectionString: String) { self.connectionString = connectionString }
    }

    /// Marks the turns of the journal's thread.
    package let heartbeat = Heartbeat("journal")
    private let ledger = JournalLedger()
    private let signal: WakeSignal
    private let interrupt = WakeSignal()
    private let mailbox: Mailbox<JournalEntry>
    private let clock: MonotonicClock
    private let thread: WorkerThread

    /// Starts the journal's thread, which begins to connect at once.
    ///
    /// - Parameters:
    ///   - configuration: where to connect and how much to write at a time.
    ///   - clock: what ages and delays are measured with.
    ///   - log: told once of each change for better or worse, and of each record that cannot be written.
    ///   - onStateChange: called on the journal's thread.
    ///   - onCommitted: called on the journal's thread after each commit, with the number of the last record that is
    ///     done with, the numbers of those that could not be written, and what storage numbered.
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
        self.thread = WorkerThread(name: "journal") { [ledger, interrupt, heartbeat] in
            JournalWriter(
                configuration,
                mailbox: mailbox,
                signal: signal,
                interrupt: interrupt,
                ledger: ledger,
                heartbeat: heartbeat,
                clock: clock,
                log: log,
                onStateChange: onStateChange,
                onCommitted: onCommitted
            ).run()
        }
    }

    /// Whether it can write now.
    package var state: JournalState { self.ledger.phase }

    /// What it has done and what waits.
    package var metrics: JournalMetrics { self.ledger.metrics(now: self.clock.milliseconds) }

    /// Takes records over, in order; never blocks.
    ///
    /// What is taken over together is committed together. The array is left empty with its capacity. Called by one
    /// thread at a time, which has the world.
    package func submit(_ entries: inout [JournalEntry]) {
        guard !entries.isEmpty else { return }
        entries[entries.count - 1].endsTurn = true
        self.ledger.submitted(entries.count, now: self.clock.milliseconds)
        self.mailbox.send(contentsOf: &entries)
    }

    /// Blocks until everything that was submitted so far is done, or `timeout` has passed.
    ///
    /// - Returns: whether everything is done.
    package func flush(timeout: Duration) -> Bool {
        let milliseconds = timeout.nanoseconds / 1_000_000
        return self.ledger.waitUntilDone(timeoutMilliseconds: Int32(clamping: max(0, milliseconds)))
    }

    /// Ends the thread and gives the database up; blocks until it has ended.
    ///
    /// What was not flushed before is lost.
    package func close() {
        guard self.ledger.stop() else { return }
        self.interrupt.raise()
        self.signal.raise()
        self.thread.join()
    }
}

extension Duration {
    /// Whole nanoseconds.
    var nanoseconds: Int64 { self.components.seconds * 1_000_000_000 + self.components.attoseconds / 1_000_000_000 }
}
