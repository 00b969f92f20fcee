package import MusterCore

/// Which spots near a point are wanted.
package struct SpotSearch: Sendable, Equatable {
    /// Metres, within 0…50,000.
    package static let radiusRange = 0.0...50_000.0
    /// How many spots one answer may hold.
    package static let limitRange = 1...100

    package var center: Coordinate
    /// Metres around the center.
    package var radius: Double
    /// How many at most; the nearest count.
    package var limit: Int
    /// What kind of place they must be; nil for any.
    package var category: String?

    /// Creates a search.
    package init(center: Coordinate, radius: Double, limit: Int, category: String? = nil) {
        self.center = center
        self.radius = radius
        self.limit = limit
        self.category = category
    }
}
