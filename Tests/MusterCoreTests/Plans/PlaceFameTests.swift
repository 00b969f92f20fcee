import Testing

@testable import MusterCore

@Suite struct PlaceFameTests {
    @Test("counts what is known of a place that nobody rates")
    func unrated() {
        let fame = PlaceFame(among: [])
        #expect(fame(.init()) == 0.2)
        #expect(abs(fame(.init(hasWebsite: true, hasOpeningHours: true)) - 0.4) < 1e-12)
        let known = PlaceFame.Evidence(
            hasEncyclopediaArticle: true,
            hasWebsite: true,
            hasOpeningHours: true,
            hasPhone: true,
            hasCuisine: true
        )
        #expect(abs(fame(known) - 0.8) < 1e-12)
    }

    @Test("believes ratings by their number, and the mean where there are few")
    func rated() {
        let fame = PlaceFame(among: [])
        // (20 · 3.7 + 980 · 4.5) / 1000 = 4.484, with nearly the full weight of the number of ratings.
        #expect(abs(fame(.init(rating: 4.5, ratings: 980)) - 3.484 / 4 * (0.4 + 0.6 * 0.997_216)) < 1e-4)
        #expect(abs(fame(.init(rating: 5, ratings: 0)) - 2.7 / 4 * 0.4) < 1e-12)
        #expect(fame(.init(rating: 5, ratings: 3)) < fame(.init(rating: 4.5, ratings: 500)))
        let harsh = PlaceFame(among: .init(repeating: .init(rating: 2, ratings: 5), count: 10))
        #expect(harsh(.init(rating: 5, ratings: 5)) < fame(.init(rating: 5, ratings: 5)))
    }

    @Test("adds what people think of a spot there, and is never more than 1")
    func spots() {
        let fame = PlaceFame(among: [])
        #expect(abs(fame(.init(likes: 2)) - 0.3) < 1e-12)
        #expect(abs(fame(.init(dislikes: 8)) - 0.2) < 1e-12)
        #expect(fame(.init(rating: 5, ratings: 1_000_000, likes: 1000)) == 1)
    }
}
