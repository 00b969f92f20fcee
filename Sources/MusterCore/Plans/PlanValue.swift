/// What a plan, or a part of one, is worth, so that sums and comparisons are exact: greater is better, and of equal scores
/// less walking is.
///
/// The score, in billionths, stands above 24 bits from which the milliseconds of walking are taken away. Six ways of
/// 45 minutes are 16.2 million milliseconds and fit; so neither reaches into the other.
struct PlanValue: Sendable, Comparable {
    private static let walkingBits: Int64 = 24

    /// There is no such plan; a sum with it is as bad, and overflows only when it is of several.
    static let impossible = PlanValue(raw: -(1 << 61))
    /// Nothing gained, nowhere walked.
    static let zero = PlanValue(raw: 0)

    private(set) var raw: Int64

    private init(raw: Int64) { self.raw = raw }

    /// What a score and milliseconds of walking are worth.
    init(score: Double, walking: Int64 = 0) {
        self.raw = Int64((score * 1e9).rounded()) << Self.walkingBits - walking
    }

    /// The score.
    var score: Double { Double(self.billionths) / 1e9 }

    /// Seconds of walking.
    var walking: Double { Double(self.billionths << Self.walkingBits - self.raw) / 1000 }

    private var billionths: Int64 { (self.raw + (1 << Self.walkingBits - 1)) >> Self.walkingBits }

    /// Whether there is such a plan.
    var isPossible: Bool { self.raw > Self.impossible.raw / 2 }

    /// The same, as bad as can be at worst, so that sums do not overflow.
    var bounded: PlanValue { self.isPossible ? self : .impossible }

    static func < (left: Self, right: Self) -> Bool { left.raw < right.raw }

    static func + (left: Self, right: Self) -> Self { Self(raw: left.raw &+ right.raw) }

    static func - (left: Self, right: Self) -> Self { Self(raw: left.raw &- right.raw) }
}
