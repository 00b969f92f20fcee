import EventLoop
import Foundation
import MusterTestSupport
import Postgres
import Testing

@testable import MusterCore
@testable import MusterServer

@Suite(
    "Servers elsewhere",
    .blocking,
    .enabled(if: FileManager.default.fileExists(atPath: ProviderFixture.extract))
)
struct ProviderTests {
    private static let six: [PlaceCategory] = [.restaurant, .cafe, .bar, .art, .shopping, .fastfood]

    @Test("hear a category's question once a day, all at once, and nothing of who asks")
    func asksOnce() async throws {
        try await ProviderFixture.with { fixture in
            try await fixture.letAnswers(to: "nwr", be: "slow")
            // Several users in one cell, each at another position.
            let answers = try await withThrowingTaskGroup(of: CategoryAnswer.self) { group in
                for number in 0..<4 {
                    let point = Coordinate(latitude: 60.166_12 + Double(number) * 1e-4, longitude: 24.941_34)
                    for category in Self.six { group.addTask { try await fixture.places(category, near: point) } }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(answers.count == 24)
            for answer in answers {
                #expect(answer.source.state == .fresh)
                #expect(!answer.places.isEmpty, "\(answer.source.category)")
                #expect(answer.attribution == ["© OpenStreetMap contributors"])
                #expect(answer.places.allSatisfy { $0.id.hasPrefix("osm:") && $0.category == answer.source.category })
            }
            let heard = try await fixture.heard()
            #expect(heard.count == 6)
            let times = heard.map(\.at)
            // Each answer takes 300 ms: all requests start before the first ends.
            #expect((times.max() ?? 0) - (times.min() ?? 0) < 250)
            self.checkPrivacy(heard)
            // For a day answers come from the cache; after it the server is queried again.
            fixture.manual.advance(milliseconds: 86_000_000)
            #expect(try await fixture.places(Self.six).values.allSatisfy { $0.source.state == .cached })
            #expect(try await fixture.heard().count == 6)
            fixture.manual.advance(milliseconds: 500_000)
            #expect(try await fixture.places(Self.six).values.allSatisfy { $0.source.state == .fresh })
            #expect(try await fixture.heard().count == 12)
            #expect(fixture.providers.statistics.counts.lookups == [.fresh: 6, .missing: 12])
        }
    }

    @Test("of six categories are requested at once, and what is kept takes a tenth of that")
    func asksAtOnce() async throws {
        try await ProviderFixture.with { fixture in
            try await fixture.letAnswers(to: "nwr", be: "slower")
            let clock = MonotonicClock.system
            let start = clock.milliseconds
            let fresh = try await fixture.places(Self.six)
            let middle = clock.milliseconds
            let kept = try await fixture.places(Self.six)
            let end = clock.milliseconds
            #expect(fresh.values.allSatisfy { $0.source.state == .fresh })
            // Each answer takes 4 s, so even two at a time would take 12 s.
            #expect((4_000..<12_000).contains(middle - start))
            #expect(kept.values.allSatisfy { $0.source.state == .cached })
            #expect(Double(end - middle) <= 0.1 * Double(middle - start))
        }
    }

    private func checkPrivacy(_ heard: [ProviderFixture.ReceivedRequest]) {
        let allowed: Set = ["host", "user-agent", "accept", "accept-encoding", "content-length", "content-type"]
        for request in heard {
            #expect(Set(request.headers.keys.map { $0.lowercased() }).isSubset(of: allowed))
            #expect(request.headers["User-Agent"] == "Muster/0.1.0 (+mailto:operator@muster.example)")
            #expect(request.asked.contains("(around:1900,60.165,24.94)"), "\(request.asked)")
            for digits in ["60.16612", "60.1662", "24.94134", "24.941"] { #expect(!request.asked.contains(digits)) }
        }
    }

    @Test("may hang or answer nonsense: the others' places are there, and what is wrong is said")
    func survivesNonsense() async throws {
        try await ProviderFixture.with { configuration in
            configuration.timeout = 5_000
        } _: { fixture in
            let modes = [
                ("food_court", "hang"), ("fast_food", "html"), ("ice_cream", "remark"), ("nightclub", "nan"),
                ("nature_reserve", "far"), ("arts_centre", "many"),
            ]
            for (part, mode) in modes { try await fixture.letAnswers(to: part, be: mode) }
            let answers = try await fixture.places([.restaurant, .fastfood, .cafe, .bar, .park, .art, .shopping])
            let states = answers.mapValues(\.source.state)
            #expect(
                states == [
                    .restaurant: .timeout, .fastfood: .failed, .cafe: .failed, .bar: .failed, .park: .fresh,
                    .art: .fresh, .shopping: .fresh,
                ]
            )
            let good = try #require(answers[.park]?.places)
            #expect(good.map(\.name) == ["The one"])
            #expect(good.first?.website == nil, "a script is no address")
            #expect(answers[.art]?.places.count == 1_000)
            #expect(answers[.shopping]?.places.isEmpty == false)
            // A request with a short deadline fails, and the late answer serves the next one.
            try await fixture.letAnswers(to: "sports_centre", be: "slow")
            let hasty = try await fixture.places(.sport, by: fixture.manual.clock.milliseconds + 20)
            #expect(hasty.source.state == .timeout)
        }
    }

    @Test("are left alone after five failures, tried by one request, and meanwhile old answers serve")
    func breaks() async throws {
        try await ProviderFixture.with { fixture in
            #expect(try await fixture.places(.cafe).source.state == .fresh)
            fixture.manual.advance(milliseconds: 90_000_000)
            try await fixture.letAnswers(to: "nwr", be: "error")
            for category in [PlaceCategory.bar, .art, .park, .sport, .sight] {
                #expect(try await fixture.places(category).source.state == .failed)
            }
            let open = try await fixture.places(.restaurant)
            #expect(open.source.state == .open)
            #expect(open.retryAfter == 30_000)
            let stale = try await fixture.places(.cafe)
            #expect(stale.source.state == .stale)
            #expect(!stale.places.isEmpty)
            #expect(try await fixture.heard().count == 6)
            let health = try await fixture.health()
            #expect(try health.int32("failures") == 5)
            #expect(try health.text("reason") == "status_504")
            #expect(try health.int64("answers") == 1)
            // One request probes the server, and fails.
            fixture.manual.advance(milliseconds: 30_000)
            let probed = try await fixture.places([.bar, .art, .park, .sport]).values.map(\.source.state)
            #expect(Set(probed) == [.failed, .open])
            #expect(probed.count { $0 == .failed } == 1)
            #expect(try await fixture.heard().count == 7)
            // After twice the time the server is available again.
            try await fixture.letAnswers(to: "nwr", be: "ok")
            fixture.manual.advance(milliseconds: 59_000)
            #expect(try await fixture.places(.bar).source.state == .open)
            fixture.manual.advance(milliseconds: 1_000)
            #expect(try await fixture.places(.bar).source.state == .fresh)
            #expect(try await fixture.places(.art).source.state == .fresh)
            #expect(fixture.providers.statistics.counts.circuits.values.allSatisfy { !$0 })
        }
    }

    @Test("of Yelp's kind know the operator's key, are never shown stale, and leave little to keep")
    func yelp() async throws {
        try await ProviderFixture.with { configuration in
            configuration.placesKind = .yelp
            configuration.placesKey = "stand-in-secret"
        } _: { fixture in
            let answer = try await fixture.places(.restaurant)
            #expect(answer.source.state == .fresh)
            #expect(answer.source.provider == "yelp")
            let place = try #require(answer.places.first)
            #expect(place.id.hasPrefix("yelp:") && place.retention == .identity)
            #expect(place.rating == 4.5 && place.ratings == 120 && place.priceLevel == 2)
            fixture.manual.advance(milliseconds: 90_000_000)
            try await fixture.letAnswers(to: "/yelp", be: "busy")
            let failed = try await fixture.places(.restaurant)
            #expect(failed.source.state == .failed)
            #expect(failed.retryAfter == 1_000)
            #expect(failed.places.isEmpty)
            let heard = try await fixture.heard()
            #expect(heard.allSatisfy { !$0.asked.contains("stand-in-secret") }, "the key is in no address")
        }
        try await ProviderFixture.with { configuration in
            configuration.placesKind = .yelp
        } _: { fixture in
            let refused = try await fixture.places(.restaurant)
            #expect(refused.source.state == .failed, "without a key")
        }
    }

    @Test("of Yelp's kind know what all ten categories are called there")
    func yelpCategories() async throws {
        try await ProviderFixture.with { configuration in
            configuration.placesKind = .yelp
            configuration.placesKey = "stand-in-secret"
        } _: { fixture in
            for category in PlaceCategory.allCases {
                let answer = try await fixture.places(category)
                #expect(answer.source.state == .fresh, "\(category)")
            }
            #expect(try await fixture.heard().count == PlaceCategory.allCases.count)
        }
    }

    @Test("know ways on foot, but none for what lies at no way")
    func routes() async throws {
        try await ProviderFixture.with { fixture in
            let router = try #require(fixture.providers.router)
            let here = ProviderFixture.somewhere
            let station = Coordinate(latitude: 60.170_5, longitude: 24.941)
            let sea = Coordinate(latitude: 59.8, longitude: 24.9)
            let table = try #require(await router.table(among: [here, station, sea], deadline: fixture.deadline))
            let walk = try #require(table[0, 1])
            #expect((400...900).contains(walk.metres) && walk.seconds > 0)
            #expect(table[0, 2] == nil && table[2, 1] == nil)
            let chapel = Coordinate(latitude: 60.169_45, longitude: 24.935_9)
            let legs = try #require(await router.legs(through: [here, station, chapel], deadline: fixture.deadline))
            #expect(legs.count == 2)
            let line = try #require(legs[0].flatMap { Polyline.points($0.geometry) })
            #expect(line.count == 2)
            #expect(line.last?.isWithin(2, of: station) == true)
            // If OSRM has no route through all points, each leg is requested.
            let farther = Coordinate(latitude: 50, longitude: 8)
            let some = try #require(await router.legs(through: [here, station, farther], deadline: fixture.deadline))
            #expect(some[0] != nil && some[1] == nil)
            let asked = try await fixture.heard().map(\.asked).joined()
            #expect(asked.contains("24.941,60.166;"), "where somebody sets out is rounded")
            #expect(!asked.contains("24.94134"))
            try await fixture.letAnswers(to: "/osrm", be: "html")
            #expect(await router.table(among: [here, station], deadline: fixture.deadline) == nil)
            let tooMany = Array(repeating: here, count: WalkTable.mostPoints + 1)
            #expect(await router.table(among: tooMany, deadline: fixture.deadline) == nil)
        }
    }
}
