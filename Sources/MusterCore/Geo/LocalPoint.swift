import MusterMath

// Equirectangular approximation: on a sphere, two points Δφ and Δλ apart at latitudes φ₁ and φ₂ are about
// √(Δφ² + (Δλ · cos φₘ)²) radians apart (Snyder, "Map Projections: A Working Manual", USGS 1395, 1987, p. 90). The mean of
// the two cosines stands for cos φₘ; it is too small by the factor cos(Δφ/2). Both points bring their cosine along, so
// a distance costs a square root and no trigonometry. Against the haversine, errors are below 10⁻⁶ up to 10 km and below
// 1 % up to 500 km away from the poles; where rules compare with a few kilometres at most, that is exact.

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

    /// Metres to `other`.
    func distance(to other: Self) -> Double {
        let north = other.coordinate.latitude - self.coordinate.latitude
        let east =
            self.coordinate.longitudeDifference(to: other.coordinate)
            * (self.cosineOfLatitude + other.cosineOfLatitude) / 2
        return Coordinate.metresPerDegree * (north * north + east * east).squareRoot()
    }
}

extension Coordinate {
    /// Degrees of longitude between the two, the short way round, without sign.
    func longitudeDifference(to other: Self) -> Double {
        let difference = abs(other.longitude - self.longitude)
        return difference > 180 ? 360 - difference : difference
    }
}
