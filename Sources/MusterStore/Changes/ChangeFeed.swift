package import EventLoop
import Synchronization

/// Receives word of rows that were changed, by whomever: one connection a process that listens on `muster_change`.
///
/// What is changed while there is no connection is not heard of. So whoever is told `listening` compares all that they hold.
package final class ChangeFeed: Sendable {
    /// What is heard.
    package enum Event: Sendable, Equatable {
        /// From now on all changes are heard of; those of before may have been missed.
        case listening
        /// Rows were changed.
        case changed([ChangeNotice])
        /// The connection is lost; nothing is heard of any more.
        case lost
    }

    /// The name by which the connection stands in `pg_stat_activity`.
    package static let applicationName = "muster-changes"

    /// Marks the turns of the feed's thread.
    package let heartbeat = Heartbeat("changes")
    private let end = ChangeFeedEnd()
    private let thread: WorkerThread

    /// Starts a thread that connects, and connects anew whenever the connection is lost.
    ///
    /// - Parameters:
    ///   - connectionString: a libpq connection string or URL.
    ///   - clock: what silence is measured with.
    ///   - log: told once when the connection is lost or cannot be made, and when it is there again.
    ///   - tell: called on the thread, in order; it must not block.
    package init(
        connectionString: String,
        clock: MonotonicClock = .system,
        log: @escaping @Sendable (LogEvent) -> Void = { _ in },
        tell: @escaping @Sendable (Event) -> Void
    ) {
        self.thread = WorkerThread(name: "changes") { [end, heartbeat] in
            ChangeListener(
                connectionString: connectionString,
                end: end,
                heartbeat: heartbeat,
                clock: clock,
                log: log,
                tell: tell
            ).run()
            heartbeat.end()
        }
    }

    /// Ends the thread and its connection; blocks until it has ended.
    package func close() {
        guard self.end.begin() else { return }
        self.thread.join()
    }
}

/// Says to the feed's thread that it is over.
final class ChangeFeedEnd: Sendable {
    /// Raised at the end, and never taken back.
    let signal = WakeSignal()
    private let hasBegun = Atomic(false)

    /// Whether it is over.
    var isOver: Bool { self.hasBegun.load(ordering: .acquiring) }

    /// Ends it.
    ///
    /// - Returns: false when it was over already.
    func begin() -> Bool {
        guard !self.hasBegun.exchange(true, ordering: .acquiringAndReleasing) else { return false }
        self.signal.raise()
        return true
    }
}
