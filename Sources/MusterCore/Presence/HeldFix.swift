/// A fix that looked like a teleport, and was confirmed by the next one.
package struct HeldFix: Sendable, Equatable {
    /// The fix; its `at` is set.
    package var fix: Fix
    /// When it was taken, as the gate corrected it.
    package var at: Timestamp
    /// When its device says that it was taken.
    @Packed package var claimed: Timestamp?
    /// Whether the person stayed where they were.
    package var isStationary: Bool

    init(fix: Fix, at: Timestamp, claimed: Timestamp?, isStationary: Bool) {
        self.fix = fix
        self.at = at
        self.claimed = claimed
        self.isStationary = isStationary
    }

    /// What is to be said of it instead of `implausible`.
    ///
    /// - Parameter newestShown: when the position of the person that is shown was taken, by whatever device.
    /// - Returns: what the gate says of it now.
    package func judged(newestShown: Timestamp?) -> JudgedFix {
        let isNewest = newestShown.map { self.at >= $0 } ?? true
        return JudgedFix(
            verdict: isNewest ? .ok : .outOfOrder,
            at: self.at,
            isStationary: self.isStationary,
            isShown: isNewest,
            drivesGatherings: true
        )
    }
}
