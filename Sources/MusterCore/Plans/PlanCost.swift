/// The cost level of a day, from 0 for free to 4 for expensive.
package struct PlanCost: Sendable, Equatable {
    /// The rounded mean of the places; the usual level of its category stands in for an unknown price.
    package let level: Int
    /// The number of places with a known price.
    package let known: Int
    /// The number of places.
    package let of: Int

    /// Computes the cost of places.
    package init(_ places: [PlannedPlace]) {
        let levels = places.map { $0.priceLevel ?? $0.category.usualPriceLevel }
        self.level = places.isEmpty ? 0 : Int((Double(levels.reduce(0, +)) / Double(places.count)).rounded())
        self.known = places.count { $0.priceLevel != nil }
        self.of = places.count
    }
}

extension PlaceCategory {
    /// The usual price level of the category, 0…4.
    package var usualPriceLevel: Int {
        switch self {
        case .park, .sight: 0
        case .fastfood, .cafe: 1
        case .restaurant, .bar, .art, .amusement, .shopping, .sport: 2
        }
    }
}
