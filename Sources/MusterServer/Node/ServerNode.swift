import EventLoop
import MusterCore
import MusterStore
import MusterWire
import Postgres
import Synchronization
import WebSocketGateway

/// What every feature needs of the server that it is part of: settings, clock, log, storage and the gateway.
///
/// It knows no feature. Shared by all threads.
final class ServerNode: Sendable {
    /// Storage, from the moment at which the schema is up to date.
    struct Storage: Sendable {
        let pool: PostgresPool
        let directory: Directory
        let journal: Journal
        /// Keeps what is held of rows as they are.
        let changes: Changes
    }

    let configuration: ServerConfiguration
    let clock: MonotonicClock
    let logger: Logger
    /// Where calls may block.
    let blocking = BlockingPool()
    /// Where the passwords of those who log in are checked.
    let logins = BlockingPool()
    /// Watches the loops of the process.
    let loops: LoopMonitor
    /// Requests that the directory failed to answer.
    let failures = Mutex(FailureLog(quiet: 5_000))
    /// Raised when the drain begins.
    let isDraining = Atomic(false)

    /// Requests that may be with the directory beside each other, half of them of one person, so that it has connections for
    /// everything and everybody else.
    let requestLimit: ConcurrencyLimit<UserID>
    /// Barriers beside each other: two of one person, however many sessions they have.
    let barrierLimit: ConcurrencyLimit<UserID>

    /// Raised when what must be known before anybody is let in was read: after the journal had the database for the first time.
    let isLoaded = Atomic(false)
    /// Keeps lines that strangers can cause as often as they like from filling the log.
    let strangerLines: RepeatGate

    private let storageBox = Mutex<Storage?>(nil)
    private let gatewayBox = Mutex<Gateway<SessionApplication>?>(nil)

    init(configuration: ServerConfiguration, clock: MonotonicClock, logger: Logger) {
        self.configuration = configuration
        self.clock = clock
        self.logger = logger
        self.loops = LoopMonitor(logger: logger)
        self.strangerLines = RepeatGate(clock: clock)
        let requests = max(1, configuration.poolSize * 3 / 4)
        self.requestLimit = ConcurrencyLimit(requests, share: max(1, requests / 2))
        self.barrierLimit = ConcurrencyLimit(max(2, configuration.poolSize), share: 2)
    }

    /// Storage, or nil while PostgreSQL has not been reached since the start.
    var storage: Storage? {
        get { self.storageBox.withLock { $0 } }
        set { self.storageBox.withLock { $0 = newValue } }
    }

    /// The gateway, from the moment at which it listens.
    var gateway: Gateway<SessionApplication>? {
        get { self.gatewayBox.withLock { $0 } }
        set { self.gatewayBox.withLock { $0 = newValue } }
    }

    /// The directory, from the moment at which the schema is up to date.
    var directory: Directory? { self.storage?.directory }

    /// The directory, when someone can be let in now.
    ///
    /// - Throws: `unavailable` while storage is away.
    func readyDirectory() throws(FrameError) -> Directory {
        guard let directory = self.readyStorage else { throw .storageAway }
        return directory
    }

    /// The directory, when the journal has the database, so that no other server changes what is read; else nil.
    var readyStorage: Directory? {
        guard let storage, storage.journal.state == .ready, self.isLoaded.load(ordering: .acquiring) else { return nil }
        return storage.directory
    }

    /// Why the node cannot take clients now; nil when it can.
    var unreadiness: String? {
        if self.isDraining.load(ordering: .acquiring) { return "draining" }
        guard let storage else { return "PostgreSQL has not been reached" }
        guard storage.journal.state == .ready else { return "the journal cannot write to PostgreSQL" }
        guard self.isLoaded.load(ordering: .acquiring) else { return "positions and spots have not been read yet" }
        guard storage.pool.isHealthy else { return "PostgreSQL does not answer" }
        return nil
    }

    /// What clients are told about pace and limits.
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
    /// Says that PostgreSQL cannot be reached now.
    static let storageAway = FrameError(.unavailable, message: "Storage is away; try again soon.", retryAfter: 1000)
}
