import EventLoop
import Foundation
import MusterTestSupport
import Postgres
import Testing

@testable import MusterCore
@testable import MusterServer
@testable import MusterWire

@Suite("Plans over sources and streets", .blocking)
struct PlanSuggestionsTests {
    private static let origin = Coordinate(latitude: 60.17, longitude: 24.94)

    /// A database with a user who may request plans.
    private struct Fixture {
        let pool: PostgresPool
        let directory: Directory
        let user: UserID

        /// The answer as a client sees it.
        func answer(
            _ request: PlanSuggest,
            _ categories: [any CategoryProvider] = [],
            router: (any WalkRouter)? = nil,
            address: String? = nil
        ) async throws -> JSONValue {
            let suggestions = PlanSuggestions(
                clock: .system,
                categories: categories,
                router: router,
                guess: { address in
                    address == "192.0.2.7" ? PositionGuess(coordinate: origin, accuracy: 25_000) : nil
                },
                blocking: BlockingPool(),
                limit: ConcurrencyLimit(4, share: 4)
            )
            let caller = Caller(user: self.user, address: address)
            let answer = try await suggestions.answer(request, for: caller, self.directory)
            return try JSONDocument(WireEncoder.encode(answer)).root
        }
    }

    private static func with(_ body: (Fixture) async throws -> Void) async throws {
        try await DirectoryFixture.with { made in
            let ada = try await made.directory.signUp(username: "ada", password: "correct horse", name: "Ada")
            try await body(Fixture(pool: made.pool, directory: made.directory, user: ada.user.id))
        }
    }

    @Test("what sources know is used, what they do not is missing, and who failed is said")
    func partial() async throws {
        try await Self.with { fixture in
            let source = StubCategories { search in
                switch search.category {
                case .restaurant:
                    StubCategories.answer(
                        search,
                        [
                            .sample("a", .restaurant, north: 300, rating: 4.5, price: 3),
                            .sample("b", .restaurant, north: 100),
                        ]
                    )
                case .bar: StubCategories.answer(search, [], .timeout)
                case .cafe where search.radius > 1500: StubCategories.answer(search, [.sample("c", .cafe, north: 2000)])
                case .park, .cafe, .art, .sight, .amusement, .shopping, .sport, .fastfood:
                    StubCategories.answer(search, [])
                }
            }
            let request = PlanSuggest([.restaurant, .bar, .cafe, .park, .restaurant], from: Self.origin, maxPrice: 2)
            let answer = try await fixture.answer(request, [source])
            #expect(answer["missing"].strings == ["bar", "park"])
            #expect(answer["sources"].elements.map { $0["state"].string } == ["fresh", "timeout", "fresh", "fresh"])
            #expect(answer["attribution"].strings == ["© stub"])
            #expect(answer["plans"].count == 0, "there is one restaurant at that price, and none is visited twice")
            let radii = source.asked.filter { $0.category == .park }.map(\.radius)
            #expect(radii == [1500, 3000])
            #expect(source.asked.filter { $0.category == .bar }.count == 1, "who failed is not asked again at once")
            #expect(source.asked.filter { $0.category == .restaurant }.count == 1, "each category once")
            // Without known prices, the usual price of the category counts.
            let cheap = try await fixture.answer(PlanSuggest([.restaurant], from: Self.origin, maxPrice: 1), [source])
            #expect(cheap["missing"].strings == ["restaurant"])
            let dear = try await fixture.answer(PlanSuggest([.restaurant, .cafe], from: Self.origin), [source])
            let stops = dear["plans"][0]["stops"]
            #expect(stops.elements.map { $0["place"]["id"].string } == ["a", "c"])
            #expect(stops[0]["place"]["priceLevel"].int == 3)
            #expect(dear["plans"][0]["cost"]["known"].int == 1)
            #expect(dear["plans"][0]["attribution"].strings == ["© stub"])
        }
    }

    @Test("when there is nothing because sources failed, one is told when to come back")
    func allFailed() async throws {
        try await Self.with { fixture in
            let slow = StubCategories("slow") { StubCategories.answer($0, [], .timeout, by: "slow") }
            let closed = StubCategories("closed") {
                StubCategories.answer($0, [], .open, by: "closed", retryAfter: 12_000)
            }
            let request = PlanSuggest([.art], from: Self.origin)
            let error = await #expect(throws: FrameError.self) { try await fixture.answer(request, [slow, closed]) }
            #expect(error?.code == .unavailable && error?.retryAfter == 12_000)
            let other = StubCategories("other") {
                StubCategories.answer($0, [.sample("a", .art, north: 50)], by: "other")
            }
            let answer = try await fixture.answer(request, [slow, other])
            #expect(answer["plans"].count == 1)
            #expect(answer["sources"].elements.map { $0["provider"].string } == ["other", "slow"])
            let nothing = StubCategories { StubCategories.answer($0, []) }
            #expect(try await fixture.answer(request, [nothing])["plans"].count == 0)
        }
    }

    @Test("streets decide, where a router knows them; estimates where it does not")
    func streets() async throws {
        try await Self.with { fixture in
            let near = ProvidedPlace.sample("near", .art, north: 100)
            let far = ProvidedPlace.sample("far", .art, north: 400)
            let source = StubCategories { search in
                StubCategories.answer(
                    search,
                    search.category == .art ? [near, far] : [.sample("c", .cafe, north: 500)]
                )
            }
            let request = PlanSuggest([.art, .cafe], from: Self.origin, pace: .close, count: 1)
            let plain = try await fixture.answer(request, [source])["plans"][0]
            #expect(plain["routed"].bool == false)
            let cut = StubRouter(isCutOff: { $0 == near.coordinate })
            let routed = try await fixture.answer(request, [source], router: cut)["plans"][0]
            #expect(routed["stops"][0]["place"]["id"].string == "far", "no street leads to the near one")
            #expect(routed["routed"].bool == true)
            #expect(routed["stops"].elements.allSatisfy { $0["leg"]["from"].string == "router" })
            #expect(routed["stops"].elements.allSatisfy { $0["leg"]["geometry"].string == "_p~iF~ps|U" })
            let slow = WalkEstimate.seconds(from: Self.origin, to: far.coordinate) * 2
            #expect(abs((routed["stops"][0]["leg"]["duration"].double ?? 0) - slow) <= 1, "as the table says")
            let bare = try await fixture.answer(request, [source], router: StubRouter(hasCourses: false))["plans"][0]
            #expect(bare["routed"].bool == true && bare["stops"][0]["leg"]["geometry"].isNull)
            let sea = StubRouter(isCutOff: { $0 == Self.origin })
            let estimated = try await fixture.answer(request, [source], router: sea)["plans"][0]
            #expect(estimated["routed"].bool == false && !estimated.isNull)
        }
    }

    @Test("an origin guessed from a network address is told, and kept nowhere")
    func guessed() async throws {
        try await Self.with { fixture in
            let source = StubCategories { search in
                StubCategories.answer(search, [.sample("a", .art, north: 200, rating: 4, retention: .identity)])
            }
            let request = PlanSuggest([.art])
            let unknown = await #expect(throws: FrameError.self) { try await fixture.answer(request, [source]) }
            #expect(unknown?.field == "lat")
            let answer = try await fixture.answer(request, [source], address: "192.0.2.7")
            #expect(answer["origin"]["from"].string == "ip")
            #expect(answer["plans"][0]["origin"]["lat"].double == 60.17)
            #expect(answer["plans"][0]["stops"][0]["place"]["rating"].double == 4)
            let suggestion = try #require(answer["suggestion"].string.flatMap { SuggestionID($0) })
            let saved = try await fixture.directory.savePlan(
                PlanSave(suggestion, index: 0, name: "A"),
                by: fixture.user
            )
            #expect(saved.plan.origin == nil && saved.plan.stops[0].leg == nil && saved.plan.distance == 0)
            #expect(saved.plan.stops[0].place.rating == nil, "its source lets nobody keep it")
            let row = try await fixture.pool.query(
                "SELECT concat(plans, (SELECT body FROM muster.plan)) AS text FROM muster.suggestion"
            )
            let text = try #require(try row.first?.text("text"))
            #expect(!text.contains("origin") && !text.contains("startsAt") && !text.contains("leg"))
        }
    }

    @Test("spots that people like beside a place make it better known")
    func spots() async throws {
        try await Self.with { fixture in
            let source = StubCategories { search in
                StubCategories.answer(search, [.sample("a", .art, north: 100), .sample("b", .art, north: 130)])
            }
            let request = PlanSuggest([.art], from: Self.origin, count: 1)
            #expect(try await fixture.answer(request, [source])["plans"][0]["stops"][0]["place"]["id"].string == "a")
            let beside = ProvidedPlace.sample("b", .art, north: 150).coordinate
            let spot = try await fixture.directory.addSpot(SpotAdd(at: beside, comment: "Nice"), by: fixture.user)
            _ = try await fixture.directory.vote(.like, on: spot.id, by: fixture.user)
            let better = try await fixture.answer(request, [source])["plans"][0]["stops"][0]["place"]
            #expect(better["id"].string == "b")
            #expect(abs((better["fame"].double ?? 0) - (0.2 + 0.2 / 3)) < 0.001)
        }
    }

    @Test(
        "the minute of the week is that of the place",
        arguments: [
            // Saturday, 2 January 2027, 10:00 UTC.
            (nil, 5 * 1440 + 600), ("Europe/Helsinki", 5 * 1440 + 720), ("America/New_York", 5 * 1440 + 300),
            ("Pacific/Kiritimati", 6 * 1440), ("Nowhere/Else", 5 * 1440 + 600),
        ] as [(String?, Int)]
    )
    func minuteOfWeek(zone: String?, minute: Int) {
        let moment = Timestamp(milliseconds: 1_798_884_000_000)
        #expect(PlanSuggestions.minuteOfWeek(moment, in: zone) == minute)
        let before = Timestamp(milliseconds: 0)
        #expect(PlanSuggestions.minuteOfWeek(before, in: "America/New_York") == 2 * 1440 + 19 * 60)
    }
}
