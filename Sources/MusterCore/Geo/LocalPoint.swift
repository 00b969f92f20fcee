import MusterMath

// Equirectangular approximation: on a sphere, two points Δφ and Δλ apart at latitudes φ₁ and φ₂ are about √(Δφ² + (Δλ ·
// cos φₘ)²) radians apart (Snyder, "Map Projections: A Working Manual", USGS 1395, 1987, p. 90). The mean of the two
// cosines stands for cos φₘ; it is too small by the factor cos(Δφ/2). Each point stores its cosine, so a distance costs
// a square root and no trigonometry.
//
// Compared with the haversine, away from the poles, errors are below 10⁻⁶ up to 10 km and below 1 % up to 500 km. Rules
// compare with at most a few kilometres, so this is exact enough.

/// A point prepared for many distances to points nearby.
struct LocalPoint: Sendable, Equatable {
    /// The point.
    let coordinate: Coordinate
    /// The cosine of its latitude.
    let cosineOfLatitude: Double

    /// Prepares a point.
    init(_ coordinate: Coordinate) {
        self.coordinate = coordinate
        self.cosineOfLatitude = cosine(coordinate.latitude * .pi / 180)
    }

    /// The distance in metres to `other`.
    func distance(to other: Self) -> Double {
        let north = other.coordinate.latitude - self.coordinate.latitude
        let east =
            self.coordinate.longitudeDifference(to: other.coordinate)
            * (self.cosineOfLatitude + other.cosineOfLatitude) / 2
        return Coordinate.metresPerDegree * (north * north + east * east).squareRoot()
    }
}

extension Coordinate {
    /// The absolute difference of the longitudes in degrees, the short way round.
    func longitudeDifference(to other: Self) -> Double {
        let difference = abs(other.longitude - self.longitude)
        return difference > 180 ? 360 - difference : difference
    }
}
