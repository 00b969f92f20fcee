import MusterMath

extension Coordinate {
    /// The mean radius of the earth in metres: (2a + b) / 3 of WGS 84 (Moritz, "Geodetic Reference System 1980", 2000).
    package static let earthRadius = 6_371_008.8
    /// The length in metres of one degree of latitude, on the sphere of that radius.
    package static let metresPerDegree = Self.earthRadius * .pi / 180

    /// The distance in metres along the great circle to `other`, at most 0.6 % off the ellipsoid.
    ///
    /// Uses the haversine formula (Sinnott, "Virtues of the Haversine", Sky & Telescope 68, 1984), which is
    /// well-conditioned for small distances and across the date line.
    package func distance(to other: Self) -> Double {
        let degree = Double.pi / 180
        let halfLatitude = sine((other.latitude - self.latitude) * degree / 2)
        let halfLongitude = sine((other.longitude - self.longitude) * degree / 2)
        let haversine =
            halfLatitude * halfLatitude
            + cosine(self.latitude * degree) * cosine(other.latitude * degree) * halfLongitude * halfLongitude
        return 2 * Self.earthRadius * arcSine(min(1, haversine.squareRoot()))
    }

    /// Whether `other` is at most `metres` away.
    ///
    /// The result equals that of `distance(to:)`, mostly without trigonometry.
    ///
    /// Each fix calls it, and nearly all points are far within the limit.
    package func isWithin(_ metres: Double, of other: Self) -> Bool {
        let north = abs(other.latitude - self.latitude)
        let east = self.longitudeDifference(to: other)
        // An upper bound is the distance on a map whose parallels are all as long as the equator; a lower bound is that
        // of the two parallels. The margin is far above the rounding error of either method. Results within it use the
        // full formula.
        let most = Self.metresPerDegree * (north * north + east * east).squareRoot()
        if most * (1 + 1e-9) <= metres { return true }
        if Self.metresPerDegree * north * (1 - 1e-9) > metres { return false }
        return self.distance(to: other) <= metres
    }
}
