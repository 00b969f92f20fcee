/// A command to a pool's thread.
enum PoolCommand: Sendable {
    case submit(PoolRequest)
    /// The caller's task was cancelled.
    case cancel(UInt64)
    case close(CheckedContinuation<Void, Never>?)
}

/// A request to run statements.
struct PoolRequest: Sendable {
    /// The connection that may run the statements.
    package enum Placement: Sendable, Equatable {
        /// Any connection, after its pending statements.
        case anywhere
        /// A connection that is leased from then on to the transaction with the request's id.
        case newLease
        /// The connection of a transaction.
        case lease(UInt64)
        /// The connection of a transaction, which is returned to the pool afterwards.
        case endOfLease(UInt64)
    }

    let id: UInt64
    let placement: Placement
    let statements: [PostgresStatement]
    let continuation: CheckedContinuation<Result<[PostgresResult], PostgresError>, Never>
}
