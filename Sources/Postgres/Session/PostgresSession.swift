package import EventLoop

/// One connection with blocking calls, for a thread that has nothing else to do meanwhile.
///
/// Confined to one thread. Every call ends by its deadline. After `connectionLost`, `timedOut` or `cancelled` the
/// connection is closed and `connect()` makes a new one; what was under way may or may not have taken effect.
package final class PostgresSession {
    /// Creates a session that is not connected.
    ///
    /// - Parameters:
    ///   - connectionString: a libpq connection string or URL.
    ///   - timeout: how long each call may take unless it says otherwise.
    ///   - interrupt: when raised, the call that waits, or the next one that would, ends with `cancelled`.
    ///   - clock: what deadlines are measured with.
    package init(
        connectionString: String,
        timeout: Duration = .seconds(30),
        interrupt: WakeSignal? = nil,
        clock: MonotonicClock = .system
    ) {}

    /// Whether there is a connection that is not known to be broken.
    package var isConnected: Bool { preconditionFailure("skeleton") }

    /// Connects anew, closing what was there.
    package func connect(timeout: Duration = .seconds(5)) throws(PostgresError) { preconditionFailure("skeleton") }

    /// Runs one statement, prepared at its first use.
    @discardableResult
    package func execute(
        _ sql: String,
        _ parameters: [PostgresValue] = [],
        timeout: Duration? = nil
    ) throws(PostgresError) -> PostgresResult { preconditionFailure("skeleton") }

    /// Runs a script of several statements without parameters; their rows are dropped.
    package func executeScript(_ sql: String, timeout: Duration? = nil) throws(PostgresError) {
        preconditionFailure("skeleton")
    }

    /// Runs several statements in one round trip; the first that fails skips the rest and its error is thrown.
    ///
    /// Outside a transaction they are one: all of them take effect, or none.
    @discardableResult
    package func pipeline(
        _ statements: [PostgresStatement],
        timeout: Duration? = nil
    ) throws(PostgresError) -> [PostgresResult] { preconditionFailure("skeleton") }

    /// Copies rows into a table.
    ///
    /// - Parameters:
    ///   - sql: `COPY … FROM STDIN (FORMAT binary)`, or that behind `BEGIN;`.
    ///   - rows: the rows.
    ///   - range: which of them; all when `nil`.
    ///   - timeout: how long it may take, if not as long as the session says.
    /// - Returns: the number of rows that were copied.
    /// - Throws: `server` when the server rejects a row, and then no row is there.
    @discardableResult
    package func copyIn(
        _ sql: String,
        rows: borrowing CopyWriter,
        range: Range<Int>? = nil,
        timeout: Duration? = nil
    ) throws(PostgresError) -> Int { preconditionFailure("skeleton") }

    /// Writes a batch in one transaction: `copy` (its rows, or a range of them), then `statements`, then COMMIT.
    ///
    /// Three round trips: `BEGIN; COPY`, the rows, and the statements with COMMIT as one pipeline. When the server
    /// rejects any of it, all of it is rolled back and the session can be used again.
    @discardableResult
    package func writeBatch(
        copy sql: String,
        rows: borrowing CopyWriter,
        range: Range<Int>? = nil,
        then statements: [PostgresStatement],
        timeout: Duration? = nil
    ) throws(PostgresError) -> [PostgresResult] { preconditionFailure("skeleton") }

    /// Waits until a notification arrives, `wake` is raised, or `timeout` has passed.
    ///
    /// - Returns: what arrived, also while earlier calls ran.
    package func notifications(
        wake: WakeSignal? = nil,
        timeout: Duration
    ) throws(PostgresError) -> [PostgresNotification] { preconditionFailure("skeleton") }

    /// Closes the connection; a transaction under way is rolled back by the server.
    package func close() {}
}

@available(*, unavailable)
extension PostgresSession: Sendable {}
