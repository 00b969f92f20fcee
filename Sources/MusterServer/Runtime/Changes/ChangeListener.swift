import EventLoop
import Postgres

/// The main loop of the change feed's thread.
///
/// Confined to that thread.
final class ChangeListener {
    /// The longest silence after which the connection is checked.
    private static let longestSilence = Duration.seconds(10)

    private let session: PostgresSession
    private let end: ChangeFeedEnd
    private let heartbeat: Heartbeat
    private let log: @Sendable (LogEvent) -> Void
    private let notify: @Sendable (ChangeFeed.Event) -> Void
    private let clock: MonotonicClock
    private var backoff = Backoff(shortest: 100, longest: 5000)
    private var failures = FailureLog(quietPeriod: 5_000)
    private var isListening = false

    init(
        connectionString: String,
        end: ChangeFeedEnd,
        heartbeat: Heartbeat,
        clock: MonotonicClock,
        log: @escaping @Sendable (LogEvent) -> Void,
        notify: @escaping @Sendable (ChangeFeed.Event) -> Void
    ) {
        self.session = PostgresSession(
            connectionString: connectionString,
            interrupt: end.signal,
            heartbeat: heartbeat,
            clock: clock
        )
        self.end = end
        self.heartbeat = heartbeat
        self.clock = clock
        self.log = log
        self.notify = notify
    }

    /// Runs until the feed is closed.
    func run() {
        while !self.end.isOver {
            do throws(PostgresError) {
                try self.listen()
                while true { try self.awaitNotices() }
            } catch {
                self.session.close()
                guard !self.end.isOver else { return }
                self.note(error)
                // The signal stays raised; no other code waits for it.
                self.heartbeat.wait()
                self.end.signal.wait(timeoutMilliseconds: Int32(clamping: self.backoff.fail()))
                self.heartbeat.begin()
            }
        }
    }

    private func listen() throws(PostgresError) {
        try self.session.connect()
        // `set_config`, because libpq's fallback name would override the name among the connection's settings.
        try self.session.execute(
            "SELECT set_config('application_name', $1, false)",
            [.text(ChangeFeed.applicationName)]
        )
        try self.session.execute("LISTEN muster_change")
        self.noteAnswer()
        self.backoff.succeed()
        self.isListening = true
        self.notify(.listening)
    }

    /// Waits for notifications; checks the connection after a silence.
    private func awaitNotices() throws(PostgresError) {
        let received = try self.session.notifications(timeout: Self.longestSilence)
        guard !received.isEmpty else {
            try self.session.execute("SELECT 1 AS alive")
            self.noteAnswer()
            return
        }
        let notices = received.compactMap { ChangeNotice($0.payload) }
        if !notices.isEmpty { self.notify(.changed(notices)) }
    }

    /// Logs the end of an outage, once it has been over for a while.
    private func noteAnswer() {
        let event = self.failures.succeeded(at: self.clock.milliseconds) {
            LogEvent(.info, "listening for changes again")
        }
        if let event { self.log(event) }
    }

    private func note(_ error: PostgresError) {
        let event = self.failures.failed(at: self.clock.milliseconds) {
            LogEvent(.warning, "cannot listen for changes", [("error", error.description)])
        }
        if let event { self.log(event) }
        guard self.isListening else { return }
        self.isListening = false
        self.notify(.lost)
    }
}
