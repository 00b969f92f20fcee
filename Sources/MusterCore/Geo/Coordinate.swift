/// A point on WGS 84, in degrees.
package struct Coordinate: Hashable, Sendable, Codable {
    /// Degrees north of the equator, −90…90.
    package var latitude: Double
    /// Degrees east of Greenwich, −180…180.
    package var longitude: Double

    /// Creates a point from degrees.
    package init(latitude: Double, longitude: Double) {
        self.latitude = latitude
        self.longitude = longitude
    }
}
