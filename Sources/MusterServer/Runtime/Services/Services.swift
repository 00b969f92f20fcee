import EventLoop
import MusterCore
import WebSocketGateway

/// The features of a server with their dependencies.
///
/// The tables of routes, requests and metrics pass each feature what it needs.
///
/// Shared by all threads. No feature knows this type.
final class Services: Sendable {
    /// The parts that all features need.
    let node: ServerNode
    /// The link to the world.
    let world: any WorldLink
    /// The link to the cluster service.
    let clusters: any ClusterLink
    /// HTTP requests that wait for the cluster service.
    let tileReads = PendingAnswers<TileAnswer>(limit: 4096, failure: .mapsBusy)
    /// Cached tiles in the encodings of HTTP.
    let tileEncodings = TileEncodings()
    /// The map of streets.
    let streets: StreetMap
    /// Reads tiles of the map of streets.
    let streetReads = BlockingPool(threads: 2, limit: 1024)
    /// Counts share pictures.
    let shares = ShareStatistics()
    /// HTTP requests that wait for the visibility snapshot of a group.
    let sights = PendingAnswers<GroupVisibility>(limit: 1024, timeout: .seconds(5), failure: .groupUnseen)
    /// Requests of phones' own apps that wait for what the phone shows.
    let phoneViews = PendingAnswers<PhoneView>(limit: 1024, timeout: .seconds(5), failure: .storageAway)
    /// Counts the reports of phones' own apps.
    let ingest = IngestStatistics()
    /// The child processes that decode and draw pictures.
    let imaging: ImagingPool
    /// Counts the answers to HTTP requests.
    let http = HTTPStatistics()
    /// Looks up places.
    let geocoding: Geocoding
    /// The external servers that this server queries.
    let providers: Providers
    /// Sign-in by other providers.
    let signIns: SignInService
    /// Suggests plans.
    let planning: PlanSuggestions
    /// HTTP requests that receive glances.
    let glances = GlanceStreams()
    /// HTTP requests that wait for the world.
    let reports = PendingAnswers<ReportOutcome>(failure: .storageAway)
    /// Applies and stores changes of sharing.
    let sharing: SharingService
    /// The chat service.
    let chat: ChatService
    /// Sends committed changes to the live state.
    let router: ChangeRouter
    /// Notifies people whose app is closed; nil without the operator's contact.
    let push: PushService?

    init(
        configuration: ServerConfiguration,
        clock: MonotonicClock,
        logger: Logger,
        world: any WorldLink,
        clusters: any ClusterLink
    ) {
        self.node = ServerNode(configuration: configuration, clock: clock, logger: logger)
        self.streets = StreetMap(folder: MapFolder(configuration.mapDirectory), logger: logger)
        self.providers = Providers(configuration.providers, blocking: self.node.blocking, clock: clock, logger: logger)
        self.signIns = SignInService(
            configuration.signIn,
            site: configuration.publicURL,
            secretKey: configuration.secretKey.bytes,
            userAgent: Providers.userAgent(configuration.providers.contact),
            clock: clock,
            logger: logger
        )
        self.geocoding = Geocoding(clock: clock, elsewhere: self.providers.geocoder)
        self.planning = PlanSuggestions(
            clock: clock,
            categories: self.providers.categories,
            router: self.providers.router,
            guess: { [providers] in providers.guess($0) },
            blocking: self.node.blocking,
            limit: self.node.requestLimit
        )
        self.imaging = ImagingPool(program: configuration.imagingProgram, clock: clock, logger: logger)
        self.world = world
        self.clusters = clusters
        self.sharing = SharingService(world: world, clock: clock)
        self.chat = ChatService(world: world, rate: configuration.chatRate, clock: clock, logger: logger)
        self.push = PushService(configuration, clock: clock, logger: logger)
        self.router = ChangeRouter(self.node, world: world, clusters: clusters, reads: self.tileReads, chat: self.chat)
    }

    /// Passes storage, whose schema is up to date, to all parts that need it.
    func open(_ storage: ServerNode.Storage) {
        self.node.storage = storage
        self.providers.store.directory = storage.directory
    }
}
