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

extension Coordinate {
    /// The latitudes that there are; what is infinite or no number at all is not among them.
    @inlinable package static var latitudes: ClosedRange<Double> { -90...90 }
    /// The longitudes that there are; likewise.
    @inlinable package static var longitudes: ClosedRange<Double> { -180...180 }

    /// Creates a point from degrees that somebody says; nil when there is no such latitude or longitude.
    package init?(validating latitude: Double, _ longitude: Double) {
        guard Self.latitudes.contains(latitude), Self.longitudes.contains(longitude) else { return nil }
        self.init(latitude: latitude, longitude: longitude)
    }
}
