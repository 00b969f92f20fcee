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
        /// Keeps what is held of rows as they are.
        let changes: Changes
    }

    let configuration: ServerConfiguration
    let clock: MonotonicClock
    let logger: Logger
    /// The way to the world.
    let world: any WorldLink
    /// The way to the atlas.
    let atlas: any AtlasLink
    /// HTTP requests that wait for the atlas.
    let tileReads: PendingTileReads
    /// Tiles as HTTP sends them.
    let tileEncodings = TileEncodings()
    /// Shows spots on maps.
    let spotMaps: SpotMaps
    /// Meters tiles by address: a map's first sight at once, and then 50 a second.
    let tileMeter = RateMeter<String>(rate: 50, burst: 200)
    /// Meters fixes that come by HTTP.
    let reportMeter: RateMeter<UserID>
    /// Meters sign-ups by address: thirty at once, and one every five seconds.
    let signUpMeter = RateMeter<String>(rate: 0.2, burst: 30)
    /// Meters uploads of photos.
    let photoMeter = RateMeter<UserID>(rate: PhotoRoutes.uploadsPerHour / 3600, burst: PhotoRoutes.uploadsPerHour)
    /// Bounds what uploads under way take.
    let uploads = UploadBudget()
    /// Meters wrong addresses of share pictures by who asks: thirty at once, and one every ten seconds.
    let shareMeter = RateMeter<String>(rate: 0.1, burst: 30)
    /// Counts share pictures.
    let shares = ShareStatistics()
    /// HTTP requests that want to know what a group sees.
    let sights = PendingSights()
    /// Children that decode and draw pictures.
    let imaging: ImagingPool
    /// Counts what was asked over HTTP.
    let http = HTTPStatistics()
    /// Where calls may block.
    let blocking = BlockingPool()
    /// Looks places up.
    let geocoding: Geocoding
    /// Whom the server asks beyond itself.
    let providers: Providers
    /// Makes plans.
    let planning: PlanSuggestions
    /// HTTP requests that are sent glances.
    let glances = GlanceStreams()
    /// HTTP requests that wait for the world.
    let reports = PendingReports()
    /// Puts words about sharing into force and into storage.
    let sharing: SharingKeeper
    /// Which pins are shown.
    let pins: PinBoard
    /// Which events there are.
    let events: EventBoard
    /// Where rooms are written to.
    let chat: ChatDesk
    /// Raised when the drain begins.
    let isDraining = Atomic(false)

    /// Requests that may be with the directory beside each other, half of them of one person, so that it has connections for
    /// everything and everybody else.
    let requestLimit: ConcurrencyLimit<UserID>
    /// Barriers beside each other: two of one person, however many sessions they have.
    let barrierLimit: ConcurrencyLimit<UserID>
    /// Photos that are read beside each other, half of them for one address.
    let photoLimit: ConcurrencyLimit<String>

    private let storageBox = Mutex<Storage?>(nil)
    private let gatewayBox = Mutex<Gateway<SessionApplication>?>(nil)

    init(
        configuration: ServerConfiguration,
        clock: MonotonicClock,
        logger: Logger,
        world: any WorldLink,
        atlas: any AtlasLink
    ) {
        self.configuration = configuration
        self.reportMeter = RateMeter(rate: configuration.fixRate, burst: configuration.fixBurst)
        let requests = max(1, configuration.poolSize * 3 / 4)
        self.requestLimit = ConcurrencyLimit(requests, share: max(1, requests / 2))
        self.barrierLimit = ConcurrencyLimit(max(2, configuration.poolSize), share: 2)
        self.photoLimit = ConcurrencyLimit(
            max(1, configuration.poolSize / 2),
            share: max(1, configuration.poolSize / 4)
        )
        self.providers = Providers(configuration.providers, blocking: self.blocking, clock: clock, logger: logger)
        self.geocoding = Geocoding(clock: clock, elsewhere: self.providers.geocoder)
        self.planning = PlanSuggestions(
            clock: clock,
            categories: self.providers.categories,
            router: self.providers.router,
            guess: { [providers] in providers.guess($0) },
            blocking: self.blocking,
            limit: self.requestLimit
        )
        self.imaging = ImagingPool(program: configuration.imagingProgram, clock: clock, logger: logger)
        self.clock = clock
        self.logger = logger
        self.world = world
        self.atlas = atlas
        self.tileReads = PendingTileReads()
        self.spotMaps = SpotMaps(atlas: atlas, reads: self.tileReads)
        self.pins = PinBoard(atlas: atlas)
        self.events = EventBoard(world: world, atlas: atlas, clock: clock)
        self.sharing = SharingKeeper(world: world)
        self.chat = ChatDesk(world: world, clock: clock, logger: logger)
    }

    /// Storage, or nil while PostgreSQL has not been reached since the start.
    var storage: Storage? {
        get { self.storageBox.withLock { $0 } }
        set {
            self.storageBox.withLock { $0 = newValue }
            self.providers.store.directory = newValue?.directory
        }
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
        guard let storage, storage.journal.state == .ready else { return nil }
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
