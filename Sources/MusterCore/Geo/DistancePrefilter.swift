import MusterMath

// With x and y for the differences of latitude and longitude in radians, and d for the distance in earth radii:
//
//   sin²(d/2) = sin²(x/2) + cos φ₁ cos φ₂ sin²(y/2)   (the haversine formula, as in `Coordinate.distance(to:)`)
//
// sin t ≤ t, and t² (1 − t²/3) ≤ sin² t; so d² ≥ (x² + cos φ₁ cos φ₂ y²) (1 − m²/12), with m the greater of x and y. A
// point within the radius is farther from the equator by at most the radius. That gives a lower bound of cos φ₂,
// computed once for all points.

/// A prefilter that excludes points certainly beyond a distance, without trigonometry.
struct DistancePrefilter {
    private let point: Coordinate
    /// A lower bound of the product of both cosines.
    private let cosines: Double

    /// Creates a prefilter for distances of at most `radius` metres.
    init(around point: Coordinate, within radius: Double) {
        let degree = Double.pi / 180
        self.point = point
        let farthest = min(90, abs(point.latitude) + radius / Coordinate.metresPerDegree * (1 + 1e-9))
        self.cosines = max(0, cosine(point.latitude * degree)) * max(0, cosine(farthest * degree))
    }

    /// Whether `other` may be within `distance`, which is at most the radius; never false for a point within it.
    func mayHold(_ other: Coordinate, within distance: Double) -> Bool {
        let north = abs(other.latitude - self.point.latitude)
        let east = self.point.longitudeDifference(to: other)
        // Below 5°, m²/12 is below 0.001.
        guard north < 5, east < 5 else { return true }
        let least = (north * north + self.cosines * east * east) * 0.999
        let limit = distance / Coordinate.metresPerDegree
        return least <= limit * limit
    }
}
