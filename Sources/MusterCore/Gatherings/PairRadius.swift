// Fixes that are accurate to 48 m scatter by more than an R of 25 m, and nobody would ever be together. So R of two members is
// ¾ of the mean accuracy of their two fixes at least, for all limits of their link. As no fix is used that is less accurate than
// 100 m, that is 75 m at most, and nothing changes in groups whose R is as large.

/// The R of two members.
enum PairRadius {
    /// The share of the sum of two accuracies that R is at least.
    static let share = 0.75 / 2
    /// The most in metres that accuracies make of R.
    static let limit = 0.75 * Double(FixGate.accuracyLimit)
}

extension MemberPosition {
    /// R of two members in a group of this R.
    func radius(with other: Self, in radius: Double) -> Double {
        max(radius, min(PairRadius.share * (self.accuracy + other.accuracy), PairRadius.limit))
    }
}
