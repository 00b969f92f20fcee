import MusterCore
import MusterWire
import Synchronization

/// What became of a report that came without a session.
struct ReportOutcome: Sendable {
    /// Everything that was stored, with what the gate thought of it.
    let acknowledgement: Acknowledgement
    /// Fixes that only the clock found malformed; they are not stored.
    let malformed: [FrameError]
}

/// The HTTP requests that wait until their fixes are durable.
final class PendingReports: Sendable {
    private typealias Waiter = CheckedContinuation<Result<ReportOutcome, FrameError>, Never>

    private let waiting = Mutex<[SessionID: Waiter]>([:])

    /// Returns once the world has said what became of the report that `submit` hands to it.
    ///
    /// - Throws: why nothing of it was kept.
    func outcome(of request: SessionID, submit: () -> Void) async throws(FrameError) -> ReportOutcome {
        let result: Result<ReportOutcome, FrameError> = await withCheckedContinuation { continuation in
            self.waiting.withLock { $0[request] = continuation }
            submit()
        }
        return try result.get()
    }

    /// Tells the one who waits.
    func resolve(_ request: SessionID, _ outcome: Result<ReportOutcome, FrameError>) {
        self.waiting.withLock { $0.removeValue(forKey: request) }?.resume(returning: outcome)
    }

    /// The number of requests that wait.
    var count: Int { self.waiting.withLock { $0.count } }
}

extension FrameError {
    /// Says that the account of a report was deleted while the report was on its way.
    static let accountGone = FrameError(.unauthorized, message: "This account was deleted.")
}
