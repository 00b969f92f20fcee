import EventLoop
import MusterCore
import MusterWire
import Postgres
import Synchronization
import WebSocketGateway

/// The services of the server that every feature uses: settings, clock, log, storage and the gateway.
///
/// It knows no feature. Shared by all threads.
final class ServerNode: Sendable {
    /// Storage with an up-to-date schema.
    struct Storage: Sendable {
        let pool: PostgresPool
        let directory: Directory
        let journal: Journal
        /// Keeps cached rows up to date.
        let changes: Changes
    }

    let configuration: ServerConfiguration
    let clock: MonotonicClock
    let logger: Logger
    /// Runs calls that block.
    let blocking = BlockingPool()
    /// Checks the passwords of logins.
    let logins = BlockingPool()
    /// Monitors the loops of the process.
    let loops: LoopMonitor
    /// Requests that the directory failed to answer.
    let failures = Mutex(FailureLog(quietPeriod: 5_000))
    /// Set when the drain begins.
    let isDraining = Atomic(false)

    /// Limits the requests that use the directory concurrently; one user may have half of them.
    ///
    /// Connections remain free for all other work and all other users.
    let requestLimit: ConcurrencyLimit<UserID>
    /// Limits the concurrent barriers: two of one user, regardless of the number of sessions.
    let barrierLimit: ConcurrencyLimit<UserID>

    /// Set when the data that sessions depend on was read, after the journal owned the database for the first time.
    let isLoaded = Atomic(false)
    /// Limits repeated log lines that any client can cause.
    let strangerLines: RepeatGate
    /// Limits repeated log lines about requests that took too long or failed for an unforeseen reason, by request.
    let requestLines: RepeatGate

    private let storageBox = Mutex<Storage?>(nil)
    private let gatewayBox = Mutex<Gateway<SessionApplication>?>(nil)

    init(configuration: ServerConfiguration, clock: MonotonicClock, logger: Logger) {
        self.configuration = configuration
        self.clock = clock
        self.logger = logger
        self.loops = LoopMonitor(logger: logger)
        self.strangerLines = RepeatGate(clock: clock)
        self.requestLines = RepeatGate(clock: clock)
        let requests = max(1, configuration.poolSize * 3 / 4)
        self.requestLimit = ConcurrencyLimit(requests, share: max(1, requests / 2))
        self.barrierLimit = ConcurrencyLimit(max(2, configuration.poolSize), share: 2)
    }

    /// Storage; nil while PostgreSQL has not been reached since the start.
    var storage: Storage? {
        get { self.storageBox.withLock { $0 } }
        set { self.storageBox.withLock { $0 = newValue } }
    }

    /// The gateway; nil until it listens.
    var gateway: Gateway<SessionApplication>? {
        get { self.gatewayBox.withLock { $0 } }
        set { self.gatewayBox.withLock { $0 = newValue } }
    }

    /// The current time.
    var now: Timestamp { Timestamp(milliseconds: self.clock.wallMilliseconds) }

    /// The directory; nil until the schema is up to date.
    var directory: Directory? { self.storage?.directory }

    /// The directory, if sessions can be admitted now.
    ///
    /// - Throws: `unavailable` while storage is unavailable.
    func readyDirectory() throws(FrameError) -> Directory {
        guard let directory = self.readyStorage else { throw .storageAway }
        return directory
    }

    /// The directory, if the journal owns the database, so that no other server changes the data; otherwise nil.
    var readyStorage: Directory? {
        guard let storage, storage.journal.state == .ready, self.isLoaded.load(ordering: .acquiring) else { return nil }
        return storage.directory
    }

    /// The reason why the node cannot accept clients now; nil when it can.
    var unreadiness: String? {
        if self.isDraining.load(ordering: .acquiring) { return "draining" }
        guard let storage else { return "PostgreSQL has not been reached" }
        guard storage.journal.state == .ready else { return "the journal cannot write to PostgreSQL" }
        guard self.isLoaded.load(ordering: .acquiring) else { return "positions and spots have not been loaded yet" }
        guard storage.pool.isHealthy else { return "PostgreSQL does not answer" }
        return nil
    }

    /// The intervals and limits that clients receive.
    var terms: ServerTerms {
        ServerTerms(
            tick: Int(self.configuration.tick),
            ping: Int(self.configuration.gateway.timing.pingInterval),
            frameBytes: self.configuration.gateway.limits.messageBytes,
            fixesPerSecond: self.configuration.fixRate
        )
    }
}

extension ServerNode: RequestServices {}

extension FrameError {
    /// The error while PostgreSQL cannot be reached.
    static let storageAway = FrameError(
        .unavailable,
        message: "Storage is unavailable; try again soon.",
        retryAfter: 1000
    )
}
