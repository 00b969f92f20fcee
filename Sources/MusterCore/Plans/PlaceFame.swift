import MusterMath

/// How much people think of a place, from what is known about it: 0…1.
package struct PlaceFame: Sendable {
    /// What is known about a place.
    package struct Evidence: Sendable, Equatable {
        /// What people rate it, 1…5; nil when nobody does.
        package var rating: Double?
        /// How many people rate it.
        package var ratings: Int
        package var hasEncyclopediaArticle: Bool
        package var hasWebsite: Bool
        package var hasOpeningHours: Bool
        package var hasPhone: Bool
        package var hasCuisine: Bool
        /// People who like, and who dislike, a spot at most 40 m away.
        package var likes: Int
        package var dislikes: Int

        /// Describes a place; by default nothing is known.
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

    /// The fame of a place of which nothing is known.
    package static let unknown = 0.2
    /// As many ratings as a place must have for its own to weigh as much as the mean.
    private static let priorRatings = 20.0
    /// The mean of an answer with too few rated places.
    private static let usualRating = 3.7
    private static let leastRated = 10

    private let mean: Double

    /// Judges the places of one answer, whose mean rating stands for what a place with few ratings would get.
    package init(among places: [Evidence]) {
        let ratings = places.compactMap(\.rating)
        self.mean =
            ratings.count < Self.leastRated ? Self.usualRating : ratings.reduce(0, +) / Double(ratings.count)
    }

    /// The fame of one of them.
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

    /// What the votes on spots beside a place add to its fame.
    package static func bonus(likes: Int, dislikes: Int) -> Double {
        0.2 * Double(likes) / Double(likes + dislikes + 2)
    }
}
