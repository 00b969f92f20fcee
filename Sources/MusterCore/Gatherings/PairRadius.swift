// Fixes with an accuracy of 48 m scatter by more than an R of 25 m, and such members would never be together. So R of
// two members is at least ¾ of the mean accuracy of their fixes, for all limits of their link. Fixes less accurate than
// 100 m are not used, so this minimum is at most 75 m. It has no effect in groups with an R of 75 m or more.

/// The radius R of two members.
enum PairRadius {
    /// The factor for the sum of two accuracies that gives the minimum of R.
    static let share = 0.75 / 2
    /// The largest minimum of R in metres.
    static let limit = 0.75 * Double(FixGate.accuracyLimit)
}

extension MemberPosition {
    /// The R of two members in a group with this `radius`.
    func radius(with other: Self, in radius: Double) -> Double {
        max(radius, min(PairRadius.share * (self.accuracy + other.accuracy), PairRadius.limit))
    }
}
