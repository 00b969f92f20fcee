/// The value of a plan or of a part of one, with exact sums and comparisons.
///
/// Greater is better, and among equal scores less walking is better.
///
/// The score, in billionths, is stored above 24 bits, and the milliseconds of walking are subtracted from the whole.
/// Six legs of 45 minutes are 16.2 million milliseconds and fit, so the two parts never overlap.
struct PlanValue: Sendable, Comparable {
    private static let walkingBits: Int64 = 24

    /// The value of an impossible plan.
    ///
    /// A sum with it is impossible too, and overflows only if it has several such terms.
    static let impossible = PlanValue(raw: -(1 << 61))
    /// No score and no walking.
    static let zero = PlanValue(raw: 0)

    private(set) var raw: Int64

    private init(raw: Int64) { self.raw = raw }

    /// Creates a value from a score and milliseconds of walking.
    init(score: Double, walking: Int64 = 0) {
        self.raw = Int64((score * 1e9).rounded()) << Self.walkingBits - walking
    }

    /// The score.
    var score: Double { Double(self.billionths) / 1e9 }

    /// The walking time in seconds.
    var walking: Double { Double(self.billionths << Self.walkingBits - self.raw) / 1000 }

    private var billionths: Int64 { (self.raw + (1 << Self.walkingBits - 1)) >> Self.walkingBits }

    /// Whether the plan is possible.
    var isPossible: Bool { self.raw > Self.impossible.raw / 2 }

    /// The value itself, or exactly `impossible`, so that sums do not overflow.
    var bounded: PlanValue { self.isPossible ? self : .impossible }

    static func < (left: Self, right: Self) -> Bool { left.raw < right.raw }

    static func + (left: Self, right: Self) -> Self { Self(raw: left.raw &+ right.raw) }

    static func - (left: Self, right: Self) -> Self { Self(raw: left.raw &- right.raw) }
}
