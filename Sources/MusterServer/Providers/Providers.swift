import EventLoop
import OutboundHTTP

/// The external servers that the configuration names; none by default.
struct Providers: Sendable {
    /// The sources of places by category.
    var categories: [any CategoryProvider] = []
    /// The router for walking routes.
    var router: (any WalkRouter)?
    /// The geocoder.
    let geocoder: PhotonGeocoder?
    /// The map tiles below share pictures.
    let tiles: ShareTiles?
    /// The cache of answers.
    let store = ProviderStore()
    /// The counters of queries.
    let statistics = ProviderStatistics()
    /// The heartbeats of the HTTP client.
    let heartbeats: [Heartbeat]
    private let locator: AddressLocator?

    /// Creates the clients of the configured servers.
    init(_ configuration: ProviderConfiguration, blocking: BlockingPool, clock: MonotonicClock, logger: Logger) {
        self.locator = configuration.addressFile.map { AddressLocator(file: $0, logger: logger) }
        guard configuration.asksAnybody else {
            self.geocoder = nil
            self.tiles = nil
            self.heartbeats = []
            return
        }
        let statistics = self.statistics
        let client = OutboundClient(userAgent: Self.userAgent(configuration.contact), clock: clock) {
            statistics.count($0, seconds: $1)
        }
        self.heartbeats = [client.heartbeat]
        let calls = ProviderCalls(
            client,
            blocking: blocking,
            store: self.store,
            statistics: statistics,
            clock: clock,
            logger: logger
        )
        self.geocoder = configuration.geocoder.map {
            PhotonGeocoder($0, calls: calls, concurrency: configuration.placesConcurrency)
        }
        self.router = configuration.router.map { OSRMRouter($0, calls: calls, timeout: configuration.timeout) }
        self.tiles = configuration.tiles.map { ShareTiles($0, calls: calls, timeout: configuration.timeout) }
        guard let places = configuration.places else { return }
        let source: any PlaceSource =
            switch configuration.placesKind {
            case .overpass: OverpassSource(url: places, timeout: configuration.timeout)
            case .yelp: YelpSource(url: places, key: configuration.placesKey)
            }
        self.categories = [
            OutsidePlaces(
                source,
                calls: calls,
                store: self.store,
                timeout: configuration.timeout,
                concurrency: configuration.placesConcurrency
            )
        ]
    }

    /// The approximate position of a network address; nil when it is unknown.
    func guess(_ address: String) -> PositionGuess? { self.locator?.guess(address) }

    /// Reads files again that the operator may have replaced.
    func reload() { self.locator?.reload() }

    /// The `User-Agent` of requests to other servers, with the operator's contact.
    static func userAgent(_ contact: String?) -> String {
        "Muster/\(MusterVersion.current)" + (contact.map { " (+\($0))" } ?? "")
    }
}
