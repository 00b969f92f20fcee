/// What a day costs, from 0 for nothing to 4 for much.
package struct PlanCost: Sendable, Equatable {
    /// The mean of the places, rounded; of those whose prices nobody knows what is usual.
    package let level: Int
    /// Of how many places prices are known.
    package let known: Int
    /// How many places there are.
    package let of: Int

    /// Adds places up.
    package init(_ places: [PlannedPlace]) {
        let levels = places.map { $0.priceLevel ?? $0.category.usualPriceLevel }
        self.level = places.isEmpty ? 0 : Int((Double(levels.reduce(0, +)) / Double(places.count)).rounded())
        self.known = places.count { $0.priceLevel != nil }
        self.of = places.count
    }
}

extension PlaceCategory {
    /// What a place of the category costs as a rule, 0…4.
    package var usualPriceLevel: Int {
        switch self {
        case .park, .sight: 0
        case .fastfood, .cafe: 1
        case .restaurant, .bar, .art, .amusement, .shopping, .sport: 2
        }
    }
}
