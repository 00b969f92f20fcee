/// A fix that looked like a teleport and waits for confirmation by the next one.
struct PendingFix: Sendable, Equatable {
    /// The fix; its `at` is set.
    package var fix: Fix
    /// The time of the fix, as corrected by the gate.
    package var at: Timestamp
    /// The time of the fix by its device's clock.
    @Packed var claimed: Timestamp?
    /// Whether the user stayed in place.
    package var isStationary: Bool

    init(fix: Fix, at: Timestamp, claimed: Timestamp?, isStationary: Bool) {
        self.fix = fix
        self.at = at
        self.claimed = claimed
        self.isStationary = isStationary
    }

    /// Returns the result that replaces `implausible`.
    ///
    /// - Parameter newestShown: the time of the user's shown position, from any device.
    /// - Returns: the gate's new result for the fix.
    package func evaluated(newestShown: Timestamp?) -> EvaluatedFix {
        let isNewest = newestShown.map { self.at >= $0 } ?? true
        return EvaluatedFix(
            verdict: isNewest ? .ok : .outOfOrder,
            at: self.at,
            isStationary: self.isStationary,
            isShown: isNewest,
            drivesGatherings: true
        )
    }
}
