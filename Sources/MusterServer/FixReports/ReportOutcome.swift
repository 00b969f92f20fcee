import MusterCore
import MusterWire

/// The outcome of a report without a session.
struct ReportOutcome: Sendable {
    /// The stored fixes with the verdicts of the fix gate.
    let acknowledgement: Acknowledgement
    /// Fixes that only the comparison with the clock found malformed; they are not stored.
    let malformed: [FrameError]
}

extension FrameError {
    /// The error for a report whose account was deleted while the report was on its way.
    static let accountGone = FrameError(.unauthorized, message: "This account was deleted.")
}
