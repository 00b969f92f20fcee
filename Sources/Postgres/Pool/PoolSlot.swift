/// One connection of a pool and what it is at.
///
/// Confined to the pool's thread.
final class PoolSlot {
    /// A request whose statements were sent.
    struct InFlight {
        let id: UInt64
        let placement: PoolRequest.Placement
        let deadline: Deadline
        /// Whoever waits; `nil` once they were told something else.
        var continuation: CheckedContinuation<Result<[PostgresResult], PostgresError>, Never>?
    }

    /// A transaction that the connection belongs to.
    struct Lease {
        let id: UInt64
        let deadline: Deadline
    }

    let connection: PostgresConnection
    let connectDeadline: Deadline
    /// Whether the connection was open the last time the pool looked.
    var isOpen = false
    var lease: Lease?
    var inFlight: [InFlight] = []
    /// The moment at which a connection that owes an answer is given up.
    ///
    /// The server cuts statements short by itself; when it stays silent past that, it or the way to it is gone.
    var silenceDeadline = Deadline(milliseconds: 0)

    init(connection: PostgresConnection, connectDeadline: Deadline) {
        self.connection = connection
        self.connectDeadline = connectDeadline
    }

    /// The moment at which this slot must be looked at even if its socket is silent.
    var nextDeadline: Deadline? {
        guard self.isOpen else { return self.connectDeadline }
        let waited = self.inFlight.lazy.filter { $0.continuation != nil }.map(\.deadline).min()
        let silence = self.inFlight.isEmpty ? nil : self.silenceDeadline
        return [waited, silence, self.lease?.deadline].compactMap(\.self).min()
    }

    /// Tells everybody who waits for this connection that it is over.
    func failAll(_ error: PostgresError) {
        for request in self.inFlight { request.continuation?.resume(returning: .failure(error)) }
        self.inFlight.removeAll()
    }
}

@available(*, unavailable)
extension PoolSlot: Sendable {}
