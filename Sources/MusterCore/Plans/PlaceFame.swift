import MusterMath

/// The popularity of a place, 0…1, estimated from the known facts.
package struct PlaceFame: Sendable {
    /// The known facts about a place.
    package struct Evidence: Sendable, Equatable {
        /// The mean rating, 1…5; nil when there is none.
        package var rating: Double?
        /// The number of ratings.
        package var ratings: Int
        package var hasEncyclopediaArticle: Bool
        package var hasWebsite: Bool
        package var hasOpeningHours: Bool
        package var hasPhone: Bool
        package var hasCuisine: Bool
        /// The likes and dislikes of spots at most 40 m away.
        package var likes: Int
        package var dislikes: Int

        /// Creates the facts; by default nothing is known.
        package init(
            rating: Double? = nil,
            ratings: Int = 0,
            hasEncyclopediaArticle: Bool = false,
            hasWebsite: Bool = false,
            hasOpeningHours: Bool = false,
            hasPhone: Bool = false,
            hasCuisine: Bool = false,
            likes: Int = 0,
            dislikes: Int = 0
        ) {
            self.rating = rating
            self.ratings = ratings
            self.hasEncyclopediaArticle = hasEncyclopediaArticle
            self.hasWebsite = hasWebsite
            self.hasOpeningHours = hasOpeningHours
            self.hasPhone = hasPhone
            self.hasCuisine = hasCuisine
            self.likes = likes
            self.dislikes = dislikes
        }
    }

    /// The fame of a place without known facts.
    package static let unknown = 0.2
    /// The number of ratings at which a place's own mean weighs as much as the mean of all places.
    private static let priorRatings = 20.0
    /// The mean that is used when too few places have ratings.
    private static let usualRating = 3.7
    private static let leastRated = 10

    private let mean: Double

    /// Prepares the evaluation of a set of places, whose mean rating is the prior for places with few ratings.
    package init(among places: [Evidence]) {
        let ratings = places.compactMap(\.rating)
        self.mean =
            ratings.count < Self.leastRated ? Self.usualRating : ratings.reduce(0, +) / Double(ratings.count)
    }

    /// The fame of one of the places.
    package func callAsFunction(_ place: Evidence) -> Double {
        var fame: Double
        if let rating = place.rating {
            let count = Double(max(0, place.ratings))
            let mean = (Self.priorRatings * self.mean + count * rating) / (Self.priorRatings + count)
            fame = (mean - 1) / 4 * (0.4 + 0.6 * min(1, decimalLogarithm(1 + count) / 3))
        } else {
            fame = Self.unknown
            if place.hasEncyclopediaArticle { fame += 0.3 }
            if place.hasWebsite { fame += 0.1 }
            if place.hasOpeningHours { fame += 0.1 }
            if place.hasPhone { fame += 0.05 }
            if place.hasCuisine { fame += 0.05 }
        }
        return min(1, max(0, fame + Self.bonus(likes: place.likes, dislikes: place.dislikes)))
    }

    /// The fame that the votes on nearby spots add to a place.
    package static func bonus(likes: Int, dislikes: Int) -> Double {
        0.2 * Double(likes) / Double(likes + dislikes + 2)
    }
}
