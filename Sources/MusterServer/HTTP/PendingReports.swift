import MusterCore
import Synchronization

/// What became of a report that came without a session.
struct ReportOutcome: Sendable {
    /// Everything that was stored, with what the gate thought of it.
    let acknowledgement: Acknowledgement
    /// Numbers of fixes that only the clock found malformed; they are not stored.
    let malformed: [Int64]
}

/// The HTTP requests that wait until their fixes are durable.
final class PendingReports: Sendable {
    private let waiting = Mutex<[SessionID: CheckedContinuation<ReportOutcome, Never>]>([:])

    /// Returns once the world has said what became of the report that `submit` hands to it.
    func outcome(of request: SessionID, submit: () -> Void) async -> ReportOutcome {
        await withCheckedContinuation { continuation in
            self.waiting.withLock { $0[request] = continuation }
            submit()
        }
    }

    /// Tells the one who waits.
    func resolve(_ request: SessionID, _ outcome: ReportOutcome) {
        self.waiting.withLock { $0.removeValue(forKey: request) }?.resume(returning: outcome)
    }

    /// The number of requests that wait.
    var count: Int { self.waiting.withLock { $0.count } }
}
