/// The gate's result for a fix.
enum FixEvaluation: Sendable, Equatable {
    /// A fix with a malformed time, for the given reason: answered as an error, not stored.
    case malformed(String)
    /// A well-formed fix, which is stored unless it is a duplicate.
    case evaluated(EvaluatedFix)
}

/// A well-formed fix with its verdict and consequences.
struct EvaluatedFix: Sendable, Equatable {
    /// The verdict that is stored and sent.
    package var verdict: FixVerdict
    /// The time of the fix: the device's time, corrected by its clock offset.
    ///
    /// It is the arrival time when the device's time is missing or too far ahead.
    package var at: Timestamp
    /// Whether the user stayed in place.
    package var isStationary: Bool
    /// Whether it becomes the position that others see.
    package var isShown: Bool
    /// Whether gathering machines must observe it.
    ///
    /// They drop fixes that are too late to be put in order.
    var drivesGatherings: Bool
    /// The pending implausible fix that this one confirms, which is used before it.
    package var confirmed: PendingFix?
}
