import MusterMath

// With x and y for the differences of latitude and longitude in radians, and d for the distance in earth radii:
//
//   sin²(d/2) = sin²(x/2) + cos φ₁ cos φ₂ sin²(y/2)   (the haversine formula, as in `Coordinate.distance(to:)`)
//
// sin t ≤ t, and t² (1 − t²/3) ≤ sin² t; so d² ≥ (x² + cos φ₁ cos φ₂ y²) (1 − m²/12), m the greater of x and y. Who is within
// the radius is at most that much farther from the equator, which gives a least cos φ₂ once for all who are asked.

/// Tells without trigonometry who is certainly not within a distance of a point.
struct DistanceSieve {
    private let point: Coordinate
    /// The product of both cosines is at least this.
    private let cosines: Double

    /// Asks about distances of at most `radius` metres.
    init(around point: Coordinate, within radius: Double) {
        let degree = Double.pi / 180
        self.point = point
        let farthest = min(90, abs(point.latitude) + radius / Coordinate.metresPerDegree * (1 + 1e-9))
        self.cosines = max(0, cosine(point.latitude * degree)) * max(0, cosine(farthest * degree))
    }

    /// Whether `other` may be within `distance`, which is at most the radius: never false for who is.
    func mayHold(_ other: Coordinate, within distance: Double) -> Bool {
        let north = abs(other.latitude - self.point.latitude)
        let east = self.point.longitudeDifference(to: other)
        // 5°: m²/12 is below 0.001.
        guard north < 5, east < 5 else { return true }
        let least = (north * north + self.cosines * east * east) * 0.999
        let limit = distance / Coordinate.metresPerDegree
        return least <= limit * limit
    }
}
