package import MusterCore

/// What is asked of a provider of places: nothing of it tells who asks, and the point is that of many.
package struct ProviderQuestion: Sendable, Hashable {
    /// The provider.
    package let provider: String
    package let category: PlaceCategory
    /// The middle of a cell of 0.005 degrees.
    package let center: Coordinate
    /// Metres: enough for whoever is anywhere in the cell.
    package let radius: Double

    /// The least distance between two middles, a 1000th of a degree each.
    private static let step = 5.0
    /// How far a point can be from the middle of its cell, and some.
    private static let margin = 400.0

    /// Asks for what lies around a point.
    package init(provider: String, category: PlaceCategory, near point: Coordinate, within radius: Double) {
        // Whole thousandths divided by 1000 are the doubles nearest to their decimals, so they print short.
        func snapped(_ degrees: Double) -> Double { (degrees * 1_000 / Self.step).rounded() * Self.step / 1_000 }
        self.provider = provider
        self.category = category
        self.center = Coordinate(latitude: snapped(point.latitude), longitude: snapped(point.longitude))
        self.radius = (radius / 500).rounded(.up) * 500 + Self.margin
    }

    /// By which its answer is kept.
    package var key: String {
        "\(self.provider)/\(self.category.rawValue)/\(self.center.latitude),\(self.center.longitude)/\(Int(self.radius))"
    }
}
