import MusterCore
import MusterWire
import Synchronization

/// The running and waiting requests of one session.
///
/// A session without requests has no such object.
///
/// Confined to the session's shard.
final class SessionRequests {
    /// A request with its handler.
    struct Pending {
        let request: any ClientRequest
        let tag: RequestTag?
        let entry: RequestTable.Entry
        /// Milliseconds until the rate limit allows the request; nil when it is within the limit.
        let excess: Int64?

        /// Refunds the charge of the rate limit, if the request was refused and changed nothing.
        func apply(_ outcome: EncodedOutcome, of user: UserID) {
            guard outcome.isRefused, self.excess == nil else { return }
            self.entry.meter?.refund(1, to: RatedSubject(user, self.request))
        }
    }

    /// A request whose handler runs.
    struct Running {
        let pending: Pending
        let order: RequestOrder
        let gate: AnswerGate
        let task: Task<Void, Never>
        /// The deadline on the shard's clock.
        let deadline: Int64
    }

    /// Decides which requests run and which wait.
    var schedule: RequestSchedule<Pending>
    /// Running requests, by ticket.
    var running: [UInt64: Running] = [:]

    /// Creates an object without requests; tickets increase from `ticket` on.
    init(after ticket: UInt64) { self.schedule = RequestSchedule(after: ticket) }
}

@available(*, unavailable)
extension SessionRequests: Sendable {}

/// Ensures that a request is answered exactly once: by its handler or by the timeout, whichever comes first.
final class AnswerGate: Sendable {
    private let isClaimed = Atomic(false)

    /// Claims the answer, and returns whether the caller must send it.
    func claim() -> Bool { !self.isClaimed.exchange(true, ordering: .relaxed) }
}
