/// What a caller asks of a pool's thread.
enum PoolCommand: Sendable {
    case submit(PoolRequest)
    /// The caller's task was cancelled.
    case cancel(UInt64)
    case close(CheckedContinuation<Void, Never>?)
}

/// Statements that a caller waits for.
struct PoolRequest: Sendable {
    /// Where the statements may run.
    enum Placement: Sendable, Equatable {
        /// On any connection, behind what it is at.
        case anywhere
        /// On a connection that from then on belongs to the transaction with the request's id.
        case newLease
        /// On the connection of a transaction.
        case lease(UInt64)
        /// On the connection of a transaction, which is returned to the pool afterwards.
        case endOfLease(UInt64)
    }

    let id: UInt64
    let placement: Placement
    let statements: [PostgresStatement]
    let continuation: CheckedContinuation<Result<[PostgresResult], PostgresError>, Never>
}
