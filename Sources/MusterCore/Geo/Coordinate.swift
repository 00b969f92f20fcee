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
    /// The valid latitudes, which exclude infinity and NaN.
    @inlinable package static var latitudes: ClosedRange<Double> { -90...90 }
    /// The valid longitudes, which exclude infinity and NaN.
    @inlinable package static var longitudes: ClosedRange<Double> { -180...180 }

    /// Creates a point from unchecked degrees; nil if the latitude or the longitude is invalid.
    package init?(validating latitude: Double, _ longitude: Double) {
        guard Self.latitudes.contains(latitude), Self.longitudes.contains(longitude) else { return nil }
        self.init(latitude: latitude, longitude: longitude)
    }
}
