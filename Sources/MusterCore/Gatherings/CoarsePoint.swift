// Most comparisons of a distance with a limit are not close. Those are decided without trigonometry, and only the
// others are left to `LocalPoint`. Each decision here is the one that `LocalPoint` would make.
//
// Proof. `LocalPoint` uses √(Δφ² + (Δλ·(c₁ + c₂)/2)²) as the distance. Here c₁ replaces the mean of the cosines. c₁
// comes from a polynomial with an error below 2·10⁻⁷ (the next term of its series, at 80°). A cosine changes by no more
// than the angle, so the mean differs from c₁ by at most Δφ/2, which is the fraction Δφ/(2·c₁). A limit is at most 4
// km, twice the greatest R, so within it Δφ ≤ 6.3·10⁻⁴; and up to 80° of latitude c₁ ≥ 0.17. Hence two points within a
// limit are found within it to a fraction of 1.9·10⁻³. Conversely, two points found within it, whose Δφ is no greater,
// are. `margin` is more than that. Beyond 80° there is no decision.

/// A point with a cheap, conservative comparison of distances of a few kilometres.
struct CoarsePoint: Sendable {
    /// The result of comparing a distance with a limit.
    enum Comparison: Sendable {
        case within
        case beyond
        case unsure
    }

    /// The fraction of a limit on either side of it within which the result is `unsure`.
    static let margin = 1.0 / 500
    /// The latitude in degrees beyond which every result is `unsure`.
    static let greatestLatitude = 80.0

    /// The point.
    let coordinate: Coordinate
    /// An approximation of the cosine of the latitude; NaN beyond `greatestLatitude`.
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

    /// The distance to `other` in metres: exact to a fraction of `margin` within 4 km; beyond, only known to be more.
    func distance(to other: Coordinate) -> Double {
        let north = other.latitude - self.coordinate.latitude
        let east = self.coordinate.longitudeDifference(to: other) * self.cosineOfLatitude
        return Coordinate.metresPerDegree * (north * north + east * east).squareRoot()
    }

    /// Compares the distance to `other` with a limit of at most 4 km.
    @inline(__always)
    func compare(to other: Coordinate, limit: Limit) -> Comparison {
        let north = other.latitude - self.coordinate.latitude
        let longitude = abs(other.longitude - self.coordinate.longitude)
        let east = longitude * self.cosineOfLatitude
        let square = north * north + east * east
        if square < limit.inner { return .within }
        // Two points on either side of the date line may still be near.
        if square > limit.outer, longitude <= 180 { return .beyond }
        return .unsure
    }

    /// A limit, prepared for many comparisons.
    struct Limit: Sendable {
        /// The squares in degrees below which a distance is within, and above which it is beyond.
        fileprivate let inner: Double
        fileprivate let outer: Double

        /// Prepares a limit of at most 4 km.
        init(metres: Double) {
            let inner = metres / Coordinate.metresPerDegree * (1 - CoarsePoint.margin)
            let outer = metres / Coordinate.metresPerDegree * (1 + CoarsePoint.margin)
            self.inner = inner * inner
            self.outer = outer * outer
        }
    }
}
