import MusterTestSupport
import Postgres
import Testing

@testable import MusterCore
@testable import MusterServer

@Suite("Answers of providers")
struct ProviderCacheTests {
    private static func question(_ category: PlaceCategory, radius: Double = 1_500) -> ProviderQuestion {
        let point = Coordinate(latitude: 60.1661, longitude: -24.9413)
        return ProviderQuestion(provider: "overpass", category: category, near: point, within: radius)
    }

    @Test("a question is that of many: the middle of a cell, and a radius that holds everybody's circle")
    func snaps() {
        let question = Self.question(.cafe, radius: 1_501)
        #expect(question.key == "overpass/cafe/60.165,-24.94/2400")
        // The circle around the cell's centre covers the circle around any point of the cell.
        for step in 0..<400 {
            let latitude = -89.9 + Double(step) * 0.4498
            let point = Coordinate(latitude: latitude, longitude: -179.99 + Double(step) * 0.8997)
            let asked = ProviderQuestion(provider: "overpass", category: .cafe, near: point, within: 1_500)
            #expect(asked.center.distance(to: point) + 1_500 <= asked.radius)
        }
    }

    @Test("an answer is kept for a week, and the newest one counts")
    func keeps() async throws {
        try await Store.with { store in
            let question = Self.question(.cafe)
            #expect(try await store.directory.providerAnswer(to: question.key) == nil)
            try await store.directory.keepProviderAnswer("[1]", places: 1, to: question)
            store.manual.advance(milliseconds: 1_000)
            try await store.directory.keepProviderAnswer("[1, 2]", places: 2, to: question)
            store.manual.advance(milliseconds: 604_799_000)
            let kept = try #require(try await store.directory.providerAnswer(to: question.key))
            #expect(kept.json == "[1, 2]")
            #expect(kept.age == 604_799_000)
            store.manual.advance(milliseconds: 1_000)
            #expect(try await store.directory.providerAnswer(to: question.key) == nil)
            try await store.directory.keepProviderAnswer("[]", places: 0, to: Self.question(.bar))
            #expect(try await store.count("muster.provider_cache") == 1, "what is too old goes")
        }
    }

    @Test("an answer of Yelp's kind is kept for a day, and hourly the sweep deletes what is too old")
    func sweeps() async throws {
        try await Store.with { store in
            let point = Coordinate(latitude: 60.1661, longitude: -24.9413)
            let yelp = ProviderQuestion(provider: "yelp", category: .cafe, near: point, within: 1_500)
            try await store.directory.keepProviderAnswer("[1]", places: 1, to: yelp)
            try await store.directory.keepProviderAnswer("[1]", places: 1, to: Self.question(.cafe))
            store.manual.advance(milliseconds: 86_399_000)
            #expect(try await store.directory.providerAnswer(to: yelp.key) != nil)
            try await store.directory.maintain()
            #expect(try await store.count("muster.provider_cache") == 2)
            store.manual.advance(milliseconds: 1_000)
            #expect(try await store.directory.providerAnswer(to: yelp.key) == nil)
            try await store.directory.maintain()
            #expect(try await store.count("muster.provider_cache WHERE provider = 'overpass'") == 1)
            #expect(try await store.count("muster.provider_cache") == 1)
            store.manual.advance(milliseconds: 6 * 86_400_000)
            try await store.directory.maintain()
            #expect(try await store.count("muster.provider_cache") == 0)
        }
    }

    @Test("the oldest answers go when all of them have more than 256 MiB")
    func bounds() async throws {
        try await Store.with { store in
            for category in [PlaceCategory.cafe, .bar, .park] {
                try await store.directory.keepProviderAnswer("[]", places: 0, to: Self.question(category))
                // Simulates an answer of this size.
                _ = try await store.pool.query(
                    "UPDATE muster.provider_cache SET bytes = 100 << 20 WHERE category = $1",
                    [.text(category.rawValue)]
                )
                store.manual.advance(milliseconds: 1_000)
            }
            #expect(try await store.count("muster.provider_cache") == 3)
            try await store.directory.keepProviderAnswer("[]", places: 0, to: Self.question(.art))
            let left = try await store.pool.query("SELECT category FROM muster.provider_cache ORDER BY category")
            #expect(try left.map { try $0.text("category") } == ["art", "bar", "park"])
        }
    }

    @Test("what a node heard last of a host stands, and operators see it")
    func health() async throws {
        try await Store.with { store in
            func note(_ failures: Int, _ reason: String?, openFor: Int64?) async throws {
                try await store.directory.noteProviderHealth(
                    ProviderHealth(
                        provider: "photon",
                        host: "a.example",
                        failures: failures,
                        reason: reason,
                        openFor: openFor
                    )
                )
            }
            try await note(5, "timeout", openFor: 30_000)
            store.manual.advance(milliseconds: 30_000)
            try await note(0, nil, openFor: nil)
            let row = try #require(try await store.pool.query("SELECT * FROM ops.provider_health").first)
            #expect(try row.text("provider") == "photon")
            #expect(try row.int32("failures") == 0)
            #expect(try row.isNull("reason") && row.isNull("open_until") && !row.bool("is_open"))
            #expect(try row.int64("answers") == 0)
        }
    }
}
