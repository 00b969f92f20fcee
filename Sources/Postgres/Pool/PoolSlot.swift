/// A connection of a pool, with its pending requests.
///
/// Confined to the pool's thread.
final class PoolSlot {
    /// A request whose statements have been sent.
    struct InFlight {
        let id: UInt64
        let placement: PoolRequest.Placement
        let deadline: Deadline
        /// The waiting caller; `nil` after it has got an error.
        var continuation: CheckedContinuation<Result<[PostgresResult], PostgresError>, Never>?
    }

    /// The transaction that has leased the connection.
    struct Lease {
        let id: UInt64
        let deadline: Deadline
    }

    let connection: PostgresConnection
    let connectDeadline: Deadline
    /// Whether the connection was open at the last check.
    var isOpen = false
    var lease: Lease?
    var inFlight: [InFlight] = []
    /// The time at which a connection that owes a response is dropped.
    ///
    /// The server aborts statements that take too long. If it stays silent beyond that, the server or the network is
    /// down.
    var silenceDeadline = Deadline(milliseconds: 0)

    init(connection: PostgresConnection, connectDeadline: Deadline) {
        self.connection = connection
        self.connectDeadline = connectDeadline
    }

    /// The time at which the slot must be checked even without events.
    var nextDeadline: Deadline? {
        guard self.isOpen else { return self.connectDeadline }
        let waited = self.inFlight.lazy.filter { $0.continuation != nil }.map(\.deadline).min()
        let silence = self.inFlight.isEmpty ? nil : self.silenceDeadline
        return [waited, silence, self.lease?.deadline].compactMap(\.self).min()
    }

    /// Fails all pending requests of this connection.
    func failAll(_ error: PostgresError) {
        for request in self.inFlight { request.continuation?.resume(returning: .failure(error)) }
        self.inFlight.removeAll()
    }
}

@available(*, unavailable)
extension PoolSlot: Sendable {}
