import EventLoop
import MusterCore
import MusterStore
import MusterWire
import Postgres
import Synchronization
import WebSocketGateway

/// What every shard's application and every request need, shared by all threads.
final class Services: Sendable {
    /// Storage, from the moment at which the schema is up to date.
    struct Storage: Sendable {
        let pool: PostgresPool
        let directory: Directory
        let journal: Journal
    }

    let configuration: ServerConfiguration
    let clock: MonotonicClock
    let logger: Logger
    /// The way to the world.
    let world: any WorldLink
    /// Meters fixes that come by HTTP.
    let reportMeter: RateMeter<UserID>
    /// Meters sign-ups by address: thirty at once, and one every five seconds.
    let signUpMeter = RateMeter<String>(rate: 0.2, burst: 30)
    /// Meters uploads of photos.
    let photoMeter = RateMeter<UserID>(rate: PhotoRoutes.uploadsPerHour / 3600, burst: PhotoRoutes.uploadsPerHour)
    /// Bounds what uploads under way take.
    let uploads = UploadBudget()
    /// Children that decode pictures.
    let imaging: ImagingPool
    /// Counts what was asked over HTTP.
    let http = HTTPStatistics()
    /// Where calls may block.
    let blocking = BlockingPool()
    /// HTTP requests that are sent glances.
    let glances = GlanceStreams()
    /// HTTP requests that wait for the world.
    let reports = PendingReports()
    /// Puts words about sharing into force and into storage.
    let sharing: SharingKeeper
    /// Raised when the drain begins.
    let isDraining = Atomic(false)

    /// Requests that may be with the directory beside each other, so that it has connections for everything else.
    let requestLimit: ConcurrencyLimit

    private let storageBox = Mutex<Storage?>(nil)
    private let gatewayBox = Mutex<Gateway<SessionApplication>?>(nil)

    init(
        configuration: ServerConfiguration,
        clock: MonotonicClock,
        logger: Logger,
        world: any WorldLink
    ) {
        self.configuration = configuration
        self.reportMeter = RateMeter(rate: configuration.fixRate, burst: configuration.fixBurst)
        self.requestLimit = ConcurrencyLimit(max(1, configuration.poolSize * 3 / 4))
        self.imaging = ImagingPool(program: configuration.imagingProgram, clock: clock, logger: logger)
        self.clock = clock
        self.logger = logger
        self.world = world
        self.sharing = SharingKeeper(world: world)
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
        guard let storage, storage.journal.state == .ready else { throw .storageAway }
        return storage.directory
    }

    /// Why the node cannot take clients now; nil when it can.
    var unreadiness: String? {
        if self.isDraining.load(ordering: .acquiring) { return "draining" }
        guard let storage else { return "PostgreSQL has not been reached" }
        guard storage.journal.state == .ready else { return "the journal cannot write to PostgreSQL" }
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

extension FrameError {
    /// Says that PostgreSQL cannot be reached now.
    static let storageAway = FrameError(.unavailable, message: "Storage is away; try again soon.", retryAfter: 1000)
}
