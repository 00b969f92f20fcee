import Testing

@testable import MusterCore

@Suite("Which place is meant")
struct GeocodeScoringTests {
    private static func place(
        _ id: String,
        _ type: PlaceType = .city,
        at latitude: Double = 0,
        _ longitude: Double = 0,
        importance: Double,
        state: String? = nil,
        country: String? = nil
    ) -> GeocodeCandidate {
        GeocodeCandidate(
            id: id,
            name: id,
            type: type,
            coordinate: Coordinate(latitude: latitude, longitude: longitude),
            importance: importance,
            country: country,
            state: state,
            parent: state ?? country
        )
    }

    /// The results of a query, given the hits of its spans.
    private static func results(
        _ parts: [String],
        _ hits: [(key: String, place: GeocodeCandidate, isOwn: Bool)],
        bias: Coordinate? = nil
    ) -> [(id: String, match: GeocodeMatch)] {
        let query = GeocodeQuery(parts: parts)
        var scoring = GeocodeScoring(query, bias: bias)
        for hit in hits {
            guard let span = query.spans.firstIndex(where: { $0.key == hit.key }) else { continue }
            scoring.add(GeocodeHit(span: span, candidate: scoring.number(of: hit.place), isOwn: hit.isOwn))
        }
        return scoring.results(limit: 10).matches.map { (scoring.candidate($0.candidate).id, $0) }
    }

    @Test("a state named beside a town decides, in either order")
    func context() throws {
        let texas = Self.place("texas", .state, importance: 0.8)
        let far = Self.place("paris-fr", at: 48.9, 2.4, importance: 0.9)
        let near = Self.place("paris-tx", at: 33.7, -95.6, importance: 0.5, state: "texas")
        for parts in [["paris", "texas"], ["texas paris"]] {
            let found = Self.results(parts, [("paris", far, true), ("paris", near, true), ("texas", texas, true)])
            #expect(found.first?.id == "paris-tx")
            let best = try #require(found.first?.match)
            #expect(best.kind == .exact)
            #expect(abs(best.coverage - 1) < 1e-9)
            #expect(abs(best.text - 1) < 1e-9)
            #expect(abs(best.score - 1.2) < 1e-9)
            #expect(best.context == [GeocodeMatch.Context(key: "texas", fit: 1)])
            let other = try #require(found.first { $0.id == "paris-fr" }?.match)
            #expect(other.kind == .partial)
            #expect(abs(other.text - 0.25) < 1e-9, "half of the query squared")
        }
    }

    @Test("another name counts 0.98, and its context as much")
    func otherName() throws {
        let uk = Self.place("uk", .country, importance: 1)
        let town = Self.place("cambridge", importance: 0.7, country: "uk")
        let best = try #require(
            Self.results(["cambridge uk"], [("cambridge", town, true), ("uk", uk, false)]).first?.match
        )
        #expect(abs(best.coverage - (9 + 2 * 0.98) / 11) < 1e-9)
    }

    @Test("a big city near by is context, a small or a far one is none")
    func neighbour() throws {
        let big = Self.place("big", at: 0, 0, importance: 0.8)
        let small = Self.place("small", at: 0.1, 0, importance: 0.3)
        let far = Self.place("far", at: 3, 0, importance: 0.3)
        let best = Self.results(["town big"], [("big", big, true), ("town", small, true), ("town", far, true)])
        let near = try #require(best.first { $0.id == "small" }?.match)
        #expect(abs(near.coverage - (4 + 0.9 * 3) / 7) < 1e-9)
        #expect(try #require(best.first { $0.id == "far" }?.match).context.isEmpty)
    }

    @Test("a famous town is shown although the landmark before it is unknown")
    func landmark() throws {
        let paris = Self.place("paris", importance: 0.9)
        let hamlet = Self.place("hamlet", importance: 0.2)
        let found = Self.results(["eiffel tower", "paris"], [("paris", paris, true), ("paris", hamlet, true)])
        #expect(found.map(\.id) == ["paris"])
        #expect(found.first?.match.kind == .partial)
        #expect(Self.results(["the eiffel paris tower again"], [("paris", paris, true)]).isEmpty, "in the middle")
    }

    @Test("where one is decides among equals, and distance takes away")
    func bias() throws {
        let here = Self.place("b", at: 0, 0, importance: 0.5)
        let there = Self.place("a", at: 10, 0, importance: 0.5)
        let hits = [("x", here, true), ("x", there, true)]
        #expect(Self.results(["x"], hits).map(\.id) == ["a", "b"], "ties by id")
        let found = Self.results(["x"], hits, bias: Coordinate(latitude: 0, longitude: 0))
        #expect(found.map(\.id) == ["b", "a"])
        #expect(abs(try #require(found.first?.match.score) - (1 + 0.1 + 0.2)) < 1e-9)
        #expect(abs(try #require(found.first?.match.distance)) < 1e-6)
    }

    @Test("one name and kind within 20 km comes once")
    func repeats() {
        func part(_ id: String, _ latitude: Double) -> GeocodeCandidate {
            GeocodeCandidate(
                id: id,
                name: "Main Street",
                type: .street,
                coordinate: Coordinate(latitude: latitude, longitude: 0),
                importance: 0.1
            )
        }
        let hits = [part("a", 0), part("b", 0.1), part("c", 1)].map { ("main street", $0, true) }
        #expect(Self.results(["main street"], hits).map(\.id) == ["a", "c"])
    }

    @Test("importance is by people, and by what a town governs")
    func importance() {
        #expect(abs(PlaceImportance.of(.city, people: 999_999) - 0.8) < 1e-6)
        #expect(abs(PlaceImportance.of(.city, people: 999_999, seat: .ofCountry) - 0.86) < 1e-6)
        #expect(abs(PlaceImportance.of(.state, people: 999_999) - 0.65) < 1e-6)
        #expect(PlaceImportance.of(.country, people: 1_400_000_000) == 1)
        #expect(PlaceImportance.of(.city, people: 0) == 0)
        #expect(PlaceImportance.of(.street, people: 0) == 0.1)
        #expect(PlaceImportance.of(.house, people: 0) == 0.05)
        #expect(
            abs(PlaceImportance.of(.other, people: 0, fame: PlaceImportance.fame(tags: ["wikidata": "Q1"])) - 0.25)
                < 1e-9
        )
    }
}
