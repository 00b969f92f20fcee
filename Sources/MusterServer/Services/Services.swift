import EventLoop
import MusterCore
import WebSocketGateway

/// The features of a server and what each is made of: tables of routes, requests and metrics give each what it needs.
///
/// Shared by all threads. No feature knows it.
final class Services: Sendable {
    /// What all features need.
    let node: ServerNode
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
    /// Counts share pictures.
    let shares = ShareStatistics()
    /// HTTP requests that want to know what a group sees.
    let sights = PendingSights()
    /// Children that decode and draw pictures.
    let imaging: ImagingPool
    /// Counts what was asked over HTTP.
    let http = HTTPStatistics()
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

    init(
        configuration: ServerConfiguration,
        clock: MonotonicClock,
        logger: Logger,
        world: any WorldLink,
        atlas: any AtlasLink
    ) {
        self.node = ServerNode(configuration: configuration, clock: clock, logger: logger)
        self.providers = Providers(configuration.providers, blocking: self.node.blocking, clock: clock, logger: logger)
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
        self.atlas = atlas
        self.tileReads = PendingTileReads()
        self.spotMaps = SpotMaps(atlas: atlas, reads: self.tileReads)
        self.pins = PinBoard(atlas: atlas)
        self.events = EventBoard(world: world, atlas: atlas, clock: clock)
        self.sharing = SharingKeeper(world: world)
        self.chat = ChatDesk(world: world, clock: clock, logger: logger)
    }

    /// Gives all who need it storage, whose schema is up to date.
    func open(_ storage: ServerNode.Storage) {
        self.node.storage = storage
        self.providers.store.directory = storage.directory
    }
}
