import EventLoop
import Synchronization

/// Receives notifications of changed rows, from any writer, on one connection per process that listens on
/// `muster_change`.
///
/// Changes that happen without a connection are missed, so a receiver of `listening` must compare all of its state.
final class ChangeFeed: Sendable {
    /// An event of the feed.
    enum Event: Sendable, Equatable {
        /// All changes are reported from now on; earlier ones may have been missed.
        case listening
        /// Rows were changed.
        case changed([ChangeNotice])
        /// The connection is lost; changes are not reported until the next `listening`.
        case lost
    }

    /// The connection's name in `pg_stat_activity`.
    static let applicationName = "muster-changes"

    /// The heartbeat of the feed's thread.
    let heartbeat = Heartbeat("changes")
    private let end = ChangeFeedEnd()
    private let thread: WorkerThread

    /// Starts a thread that connects, and reconnects whenever the connection is lost.
    ///
    /// - Parameters:
    ///   - connectionString: a libpq connection string or URL.
    ///   - clock: measures the silence of the connection.
    ///   - log: called once when the connection is lost or cannot be made, and once when it is back.
    ///   - notify: called on the thread, in order; it must not block.
    init(
        connectionString: String,
        clock: MonotonicClock = .system,
        log: @escaping @Sendable (LogEvent) -> Void = { _ in },
        notify: @escaping @Sendable (Event) -> Void
    ) {
        self.thread = WorkerThread(name: "changes") { [end, heartbeat] in
            ChangeListener(
                connectionString: connectionString,
                end: end,
                heartbeat: heartbeat,
                clock: clock,
                log: log,
                notify: notify
            ).run()
            heartbeat.end()
        }
    }

    /// Ends the thread and its connection; blocks until the thread has ended.
    func close() {
        guard self.end.begin() else { return }
        self.thread.join()
    }
}

/// The stop signal of the feed's thread.
final class ChangeFeedEnd: Sendable {
    /// Raised once at the end.
    let signal = WakeSignal()
    private let hasBegun = Atomic(false)

    /// Whether the end was requested.
    var isOver: Bool { self.hasBegun.load(ordering: .acquiring) }

    /// Requests the end.
    ///
    /// - Returns: false when it was requested before.
    func begin() -> Bool {
        guard !self.hasBegun.exchange(true, ordering: .acquiringAndReleasing) else { return false }
        self.signal.raise()
        return true
    }
}
