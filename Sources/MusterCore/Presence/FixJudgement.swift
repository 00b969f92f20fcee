/// What the gate says of a fix.
package enum FixJudgement: Sendable, Equatable {
    /// Not a fix at all: answered as an error, not stored.
    case malformed(FixFault)
    /// A well-formed fix, which is stored unless it is a duplicate.
    case judged(JudgedFix)
}

/// A well-formed fix with what follows from it.
package struct JudgedFix: Sendable, Equatable {
    /// What it is stored and answered with.
    package var verdict: FixVerdict
    /// When it was taken: the device's word, corrected by its clock's error, or the time of arrival when that was missing or too
    /// far ahead.
    package var at: Timestamp
    /// Whether the person stayed where they were.
    package var isStationary: Bool
    /// Whether it becomes the position that others see.
    package var isShown: Bool
    /// Whether gathering machines shall observe it; they drop by themselves what comes too late to be put in order.
    package var drivesGatherings: Bool
    /// The fix that was held as implausible and is confirmed by this one, to be used before it.
    package var confirmed: HeldFix?

    /// Creates a judgement.
    package init(verdict: FixVerdict, at: Timestamp, isStationary: Bool, isShown: Bool, drivesGatherings: Bool) {
        self.verdict = verdict
        self.at = at
        self.isStationary = isStationary
        self.isShown = isShown
        self.drivesGatherings = drivesGatherings
    }
}
