import MusterCore
import MusterWire
import Synchronization

/// The requests of one session that run or wait; a session that asks nothing has none.
///
/// Confined to the session's shard.
final class SessionRequests {
    /// A request with its handler.
    struct Pending {
        let request: any ClientRequest
        let tag: RequestTag?
        let entry: RequestTable.Entry
        /// In how many milliseconds it would not be too often, when it is.
        let excess: Int64?

        /// Takes back that it was counted, when it was refused and changed nothing.
        func settle(_ outcome: EncodedOutcome, of user: UserID) {
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
        /// When it must have ended, on the shard's clock.
        let deadline: Int64
    }

    /// Which run and which wait.
    var schedule: RequestSchedule<Pending>
    /// Those that run, by ticket.
    var running: [UInt64: Running] = [:]

    /// Begins with nothing; tickets rise from `ticket` on.
    init(after ticket: UInt64) { self.schedule = RequestSchedule(after: ticket) }
}

@available(*, unavailable)
extension SessionRequests: Sendable {}

/// Lets exactly one answer to a request out, whoever comes first: its handler, or the end of patience.
final class AnswerGate: Sendable {
    private let isClaimed = Atomic(false)

    /// Whether the caller is the one who answers.
    func claim() -> Bool { !self.isClaimed.exchange(true, ordering: .relaxed) }
}
