import MusterCore

/// A query to a provider of places; it does not reveal the user, and many users share its centre.
struct ProviderQuestion: Sendable, Hashable {
    /// The provider.
    let provider: String
    let category: PlaceCategory
    /// The centre of a cell of 0.005 degrees.
    let center: Coordinate
    /// The radius in metres, sufficient for every point of the cell.
    let radius: Double

    /// The spacing of the centres, in thousandths of a degree.
    private static let step = 5.0
    /// The margin for the distance between a point and the centre of its cell, in metres.
    private static let margin = 400.0

    /// Creates a query for places around a point.
    init(provider: String, category: PlaceCategory, near point: Coordinate, within radius: Double) {
        // Integer thousandths divided by 1000 are the doubles nearest to their decimals, so they print in short form.
        func snapped(_ degrees: Double) -> Double { (degrees * 1_000 / Self.step).rounded() * Self.step / 1_000 }
        self.provider = provider
        self.category = category
        self.center = Coordinate(latitude: snapped(point.latitude), longitude: snapped(point.longitude))
        self.radius = (radius / 500).rounded(.up) * 500 + Self.margin
    }

    /// The cache key of the answer.
    var key: String {
        "\(self.provider)/\(self.category.rawValue)/\(self.center.latitude),\(self.center.longitude)/\(Int(self.radius))"
    }
}
