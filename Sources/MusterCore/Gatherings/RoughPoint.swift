// Most comparisons of a distance with a limit are not close: somebody is well inside or far outside. Those are told without
// trigonometry, and only the others are left to `LocalPoint`. So what is told here is what `LocalPoint` would have told.
//
// Why that is certain. `LocalPoint` takes √(Δφ² + (Δλ·(c₁ + c₂)/2)²) for the distance; here c₁ stands for the mean, from a
// polynomial that is off by less than 2·10⁻⁷ (the next term of its series, at 80°). As the cosine changes by no more than
// the angle, the mean differs from c₁ by Δφ/2
// at most, that is by the share Δφ/(2·c₁). A limit is 4 km at most, twice the greatest R, so within it Δφ ≤ 6.3·10⁻⁴; and up to
// 80° of latitude c₁ ≥ 0.17. Hence two points within a limit are found within it to a share of 1.9·10⁻³, and two found within
// it, who have no greater Δφ, are. `margin` is more than that. Beyond 80° nothing is told.

/// A point that tells cheaply of others whether they are within a few kilometres of it, unless it is close.
struct RoughPoint: Sendable {
    /// How a distance compares with a limit.
    enum Comparison: Sendable {
        case within
        case beyond
        case unsure
    }

    /// The share of a limit within which nothing is told on either side of it.
    static let margin = 1.0 / 500
    /// The latitude in degrees from which on nothing is told.
    static let greatestLatitude = 80.0

    /// The point.
    let coordinate: Coordinate
    /// About the cosine of its latitude; not a number where nothing is told.
    let cosineOfLatitude: Double

    /// Prepares a point.
    @inline(__always)
    init(_ coordinate: Coordinate) {
        self.coordinate = coordinate
        guard abs(coordinate.latitude) <= Self.greatestLatitude else {
            self.cosineOfLatitude = .nan
            return
        }
        // The series of the cosine up to the 10th power.
        let angle = coordinate.latitude * (.pi / 180)
        let square = angle * angle
        let high = 1.0 / 720 - square * (1.0 / 40_320 - square * (1.0 / 3_628_800))
        self.cosineOfLatitude = 1 - square * (0.5 - square * (1.0 / 24 - square * high))
    }

    /// Metres to `other`: right to a share of `margin` within 4 km, and too many kilometres to matter beyond.
    func distance(to other: Coordinate) -> Double {
        let north = other.latitude - self.coordinate.latitude
        let east = self.coordinate.longitudeDifference(to: other) * self.cosineOfLatitude
        return Coordinate.metresPerDegree * (north * north + east * east).squareRoot()
    }

    /// How the distance to `other` compares with a limit of at most 4 km.
    @inline(__always)
    func compare(to other: Coordinate, limit: Limit) -> Comparison {
        let north = other.latitude - self.coordinate.latitude
        let longitude = abs(other.longitude - self.coordinate.longitude)
        let east = longitude * self.cosineOfLatitude
        let square = north * north + east * east
        if square < limit.inner { return .within }
        // On the two sides of the date line two may be near after all.
        if square > limit.outer, longitude <= 180 { return .beyond }
        return .unsure
    }

    /// A limit in metres, prepared for many comparisons.
    struct Limit: Sendable {
        /// The squares, in degrees, below which a distance is within, and above which it is beyond.
        fileprivate let inner: Double
        fileprivate let outer: Double

        /// Prepares a limit of at most 4 km.
        init(metres: Double) {
            let inner = metres / Coordinate.metresPerDegree * (1 - RoughPoint.margin)
            let outer = metres / Coordinate.metresPerDegree * (1 + RoughPoint.margin)
            self.inner = inner * inner
            self.outer = outer * outer
        }
    }
}
