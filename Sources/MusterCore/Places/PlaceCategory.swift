/// The purpose of a visit to a place.
package enum PlaceCategory: String, Sendable, CaseIterable, Codable {
    case restaurant
    case fastfood
    case cafe
    case bar
    case park
    case art
    case sight
    case amusement
    case shopping
    case sport

    /// The OpenStreetMap tags of the category: keys and their values.
    package var tags: [(key: String, values: Set<String>)] {
        switch self {
        case .restaurant: [("amenity", ["restaurant", "food_court"])]
        case .fastfood: [("amenity", ["fast_food"])]
        case .cafe: [("amenity", ["cafe", "ice_cream"]), ("shop", ["coffee", "bakery", "pastry"])]
        case .bar: [("amenity", ["bar", "pub", "biergarten", "nightclub"])]
        case .park: [("leisure", ["park", "garden", "nature_reserve"]), ("natural", ["beach"])]
        case .art: [("tourism", ["museum", "gallery"]), ("amenity", ["arts_centre", "theatre", "cinema"])]
        case .sight:
            [
                ("tourism", ["attraction", "viewpoint", "artwork"]),
                ("historic", ["castle", "monument", "memorial", "fort", "ruins"]),
            ]
        case .amusement:
            [
                ("tourism", ["theme_park", "zoo", "aquarium"]),
                (
                    "leisure",
                    ["amusement_arcade", "bowling_alley", "water_park", "miniature_golf", "escape_game", "playground"]
                ),
            ]
        case .shopping:
            [("shop", ["mall", "department_store", "clothes", "books", "gift", "music", "shoes", "jewelry"])]
        case .sport: [("leisure", ["sports_centre", "fitness_centre", "swimming_pool", "ice_rink"])]
        }
    }

    private static let all = Self.allCases.flatMap { category in
        category.tags.map { (category: category, key: $0.key, values: $0.values) }
    }

    /// The category of a place with these tags; the first in the order of the cases.
    package init?(tags: [String: String]) {
        let found = Self.all.first { entry in tags[entry.key].map { entry.values.contains($0) } ?? false }
        guard let found else { return nil }
        self = found.category
    }
}
