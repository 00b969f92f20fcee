import EventLoop
import MusterStore
import OutboundHTTP

/// Whom the server asks beyond itself, by its configuration; nobody by default.
struct Providers: Sendable {
    /// Who knows the places of categories.
    var categories: [any CategoryProvider] = []
    /// Who knows the ways on foot.
    var router: (any WalkRouter)?
    /// Who knows what texts mean.
    let geocoder: PhotonGeocoder?
    /// Who has the map tiles that share pictures lie on.
    let tiles: ShareTiles?
    /// What is kept of their answers.
    let store = ProviderStore()
    /// What was asked.
    let statistics = ProviderStatistics()
    /// The heartbeats of who asks.
    let heartbeats: [Heartbeat]
    private let locator: AddressLocator?

    /// Prepares to ask whom the configuration names.
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

    /// About where a network address is; nil when nobody knows.
    func guess(_ address: String) -> PositionGuess? { self.locator?.guess(address) }

    /// Reads files anew that the operator may have replaced.
    func reload() { self.locator?.reload() }

    private static func userAgent(_ contact: String?) -> String {
        "Muster/\(MusterVersion.current)" + (contact.map { " (+\($0))" } ?? "")
    }
}
