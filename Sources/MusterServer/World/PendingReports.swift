import MusterCore
import MusterWire
import Synchronization

/// The outcome of a report without a session.
struct ReportOutcome: Sendable {
    /// The stored fixes with the verdicts of the fix gate.
    let acknowledgement: Acknowledgement
    /// Fixes that only the comparison with the clock found malformed; they are not stored.
    let malformed: [FrameError]
}

/// The HTTP requests that wait until their fixes are durable.
final class PendingReports: Sendable {
    private typealias Waiter = CheckedContinuation<Result<ReportOutcome, FrameError>, Never>

    private let waiting = Mutex<[SessionID: Waiter]>([:])

    /// Returns the world's outcome of the report that `submit` sends.
    ///
    /// - Throws: the reason when no fix was kept.
    func outcome(of request: SessionID, submit: () -> Void) async throws(FrameError) -> ReportOutcome {
        let result: Result<ReportOutcome, FrameError> = await withCheckedContinuation { continuation in
            self.waiting.withLock { $0[request] = continuation }
            submit()
        }
        return try result.get()
    }

    /// Resumes a waiting request.
    func resolve(_ request: SessionID, _ outcome: Result<ReportOutcome, FrameError>) {
        self.waiting.withLock { $0.removeValue(forKey: request) }?.resume(returning: outcome)
    }

    /// The number of waiting requests.
    var count: Int { self.waiting.withLock { $0.count } }
}

extension FrameError {
    /// The error for a report whose account was deleted while the report was on its way.
    static let accountGone = FrameError(.unauthorized, message: "This account was deleted.")
}
