import EventLoop
import Foundation
import MusterTestSupport
import OutboundHTTP
import Postgres
import Testing

@testable import MusterCore
@testable import MusterServer

/// Providers that query stand-ins with a real extract of OpenStreetMap, and cache the answers in their own database.
struct ProviderFixture {
    /// One request as a stand-in received it.
    struct ReceivedRequest: Decodable {
        /// The time of arrival, in the stand-in's milliseconds.
        let at: Double
        let path: String
        /// The decoded path, query and body.
        let asked: String
        let headers: [String: String]
    }

    static let extract = MusterProcess.checkout.appending(path: ".build/place-data/Helsinki.osm.pbf").path
    /// The centre of the extract, a precise position that must not be sent unrounded.
    static let somewhere = Coordinate(latitude: 60.166_12, longitude: 24.941_34)

    let standIn: StandIn
    let providers: Providers
    let pool: PostgresPool
    let manual: ManualClock
    private let client = OutboundClient(userAgent: "test")

    /// Runs `body` with providers configured by `configure` and pointed at the stand-in.
    static func with(
        _ configure: (inout ProviderConfiguration) -> Void = { _ in },
        _ body: (ProviderFixture) async throws -> Void
    ) async throws {
        let standIn = try StandIn("places.py", [Self.extract], hasPackages: true)
        var configuration = ProviderConfiguration()
        configuration.contact = "mailto:operator@muster.example"
        configuration.placesConcurrency = 6
        // The machine may be busy.
        configuration.timeout = 30_000
        configuration.geocoder = try OperatorURL(configured: standIn.url + "/photon")
        configuration.router = try OperatorURL(configured: standIn.url + "/osrm")
        configuration.places = try OperatorURL(configured: standIn.url + "/overpass")
        configure(&configuration)
        if configuration.placesKind == .yelp {
            configuration.places = try OperatorURL(configured: standIn.url + "/yelp")
        }
        let manual = ManualClock()
        try await DirectoryFixture.with(clock: manual.clock) { made in
            let logger = Logger(level: .error)
            let providers = Providers(configuration, blocking: BlockingPool(), clock: manual.clock, logger: logger)
            providers.store.directory = made.directory
            try await body(ProviderFixture(standIn: standIn, providers: providers, pool: made.pool, manual: manual))
        }
    }

    private init(standIn: StandIn, providers: Providers, pool: PostgresPool, manual: ManualClock) {
        self.standIn = standIn
        self.providers = providers
        self.pool = pool
        self.manual = manual
    }

    /// The deadline of a request that starts now.
    var deadline: Int64 { self.manual.clock.milliseconds + 60_000 }

    /// Requests the places of a category around a point.
    func places(
        _ category: PlaceCategory,
        near point: Coordinate = Self.somewhere,
        within radius: Double = 1_400,
        by deadline: Int64? = nil
    ) async throws -> CategoryAnswer {
        let provider = try #require(self.providers.categories.first)
        return await provider.places(
            CategorySearch(category: category, center: point, radius: radius, deadline: deadline ?? self.deadline)
        )
    }

    /// Requests several categories at once.
    func places(_ categories: [PlaceCategory]) async throws -> [PlaceCategory: CategoryAnswer] {
        try await withThrowingTaskGroup(of: (PlaceCategory, CategoryAnswer).self) { group in
            for category in categories { group.addTask { (category, try await self.places(category)) } }
            return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
    }

    /// The health row of a host whose circuit breaker is open, as operators see it.
    ///
    /// It is written in the background.
    func health() async throws -> PostgresRow {
        let deadline = MonotonicClock.system.milliseconds + 60_000
        while MonotonicClock.system.milliseconds < deadline {
            let rows = try await self.pool.query("SELECT * FROM ops.provider_health WHERE host IS NOT NULL")
            if let row = rows.first { return row }
        }
        throw TestFailure("no host was ever left alone")
    }

    /// The requests that the stand-in received so far.
    func heard() async throws -> [ReceivedRequest] {
        let answer = try await self.client.send(OutboundRequest(try OperatorURL(configured: self.standIn.url + "/log")))
        return try JSONDecoder().decode([ReceivedRequest].self, from: Data(answer.body))
    }

    /// Sets the mode of the answers to requests that contain `part`.
    func letAnswers(to part: String, be mode: String) async throws {
        let url = try OperatorURL(configured: self.standIn.url + "/control")
        let order = #"{"part":"\#(part)","mode":"\#(mode)"}"#
        #expect(try await self.client.send(OutboundRequest(url, method: .post(form: order))).status == 200)
    }
}
