import EventLoop
import Foundation
import MusterCore
import MusterStore
import MusterTestSupport
import OutboundHTTP
import Postgres
import Testing

@testable import MusterServer

/// Providers that ask stand-ins over a real extract of OpenStreetMap, and keep what they hear in a database of their own.
struct ProviderStage {
    /// One request as a stand-in heard it.
    struct Heard: Decodable {
        /// When, in its own milliseconds.
        let at: Double
        let path: String
        /// The decoded path, query and body.
        let asked: String
        let headers: [String: String]
    }

    static let extract = MusterProcess.checkout.appending(path: ".build/place-data/Helsinki.osm.pbf").path
    /// The middle of the extract, and nothing that may go out as it is.
    static let somewhere = Coordinate(latitude: 60.166_12, longitude: 24.941_34)

    let standIn: StandIn
    let providers: Providers
    let pool: PostgresPool
    let manual: ManualClock
    private let client = OutboundClient(userAgent: "test")

    /// Runs `body` with providers as `configure` wants them, whose addresses are the stand-in's.
    static func with(
        _ configure: (inout ProviderConfiguration) -> Void = { _ in },
        _ body: (ProviderStage) async throws -> Void
    ) async throws {
        let standIn = try StandIn("places.py", [Self.extract], hasPackages: true)
        var configuration = ProviderConfiguration()
        configuration.contact = "mailto:operator@muster.example"
        configuration.placesConcurrency = 6
        // The machine may have much else to do.
        configuration.timeout = 30_000
        configuration.geocoder = try OperatorURL(configured: standIn.url + "/photon")
        configuration.router = try OperatorURL(configured: standIn.url + "/osrm")
        configuration.places = try OperatorURL(configured: standIn.url + "/overpass")
        configure(&configuration)
        if configuration.placesKind == .yelp {
            configuration.places = try OperatorURL(configured: standIn.url + "/yelp")
        }
        let manual = ManualClock()
        try await DirectoryStage.with(clock: manual.clock) { made in
            let logger = Logger(level: .error)
            let providers = Providers(configuration, blocking: BlockingPool(), clock: manual.clock, logger: logger)
            providers.store.directory = made.directory
            try await body(ProviderStage(standIn: standIn, providers: providers, pool: made.pool, manual: manual))
        }
    }

    private init(standIn: StandIn, providers: Providers, pool: PostgresPool, manual: ManualClock) {
        self.standIn = standIn
        self.providers = providers
        self.pool = pool
        self.manual = manual
    }

    /// When somebody who asks now gives up.
    var deadline: Int64 { self.manual.clock.milliseconds + 60_000 }

    /// Asks for a category around a point.
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

    /// Asks for categories at once.
    func places(_ categories: [PlaceCategory]) async throws -> [PlaceCategory: CategoryAnswer] {
        try await withThrowingTaskGroup(of: (PlaceCategory, CategoryAnswer).self) { group in
            for category in categories { group.addTask { (category, try await self.places(category)) } }
            return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
    }

    /// How a host that was left alone does, as operators see it; it is written beside everything else.
    func health() async throws -> PostgresRow {
        let deadline = MonotonicClock.system.milliseconds + 60_000
        while MonotonicClock.system.milliseconds < deadline {
            let rows = try await self.pool.query("SELECT * FROM ops.provider_health WHERE host IS NOT NULL")
            if let row = rows.first { return row }
        }
        throw TestFailure("no host was ever left alone")
    }

    /// What the stand-in heard so far.
    func heard() async throws -> [Heard] {
        let answer = try await self.client.send(OutboundRequest(try OperatorURL(configured: self.standIn.url + "/log")))
        return try JSONDecoder().decode([Heard].self, from: Data(answer.body))
    }

    /// Lets answers be such as a mode says whose question holds a text.
    func letAnswers(to part: String, be mode: String) async throws {
        let url = try OperatorURL(configured: self.standIn.url + "/control")
        let order = #"{"part":"\#(part)","mode":"\#(mode)"}"#
        #expect(try await self.client.send(OutboundRequest(url, method: .post(form: order))).status == 200)
    }
}
