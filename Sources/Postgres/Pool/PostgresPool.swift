package import EventLoop
import Synchronization

/// A pool of connections for `async` code.
///
/// One thread drives all connections, so that no call blocks a thread of Swift's cooperative pool.
package final class PostgresPool: Sendable {
    /// The connection parameters and timeouts of a pool.
    package struct Configuration: Sendable {
        /// A libpq connection string or URL.
        package var connectionString: String
        /// The name of the pool's loop.
        package var name = "pool"
        /// The maximum number of connections, which are opened on demand.
        package var size = 8
        /// The time limit of the wait for a connection.
        var acquireTimeout: Duration = .seconds(5)
        /// The time limit of a statement after it was sent.
        var statementTimeout: Duration = .seconds(15)
        /// The time limit of a transaction.
        var leaseTimeout: Duration = .seconds(30)
        /// The time limit of a connection attempt.
        package var connectTimeout: Duration = .seconds(5)
        /// The time without a response after which the pool sends a probe.
        var probeInterval: Duration = .seconds(2)
        /// The time without any owed response after which the pool is unhealthy.
        var silenceLimit: Duration = .seconds(5)
        /// The maximum number of pending statements on one connection.
        package var pipelineDepth = 4
        /// Server settings of each connection, as `name=value`.
        package var settings: [String] = []

        /// Creates a configuration with the default limits.
        package init(connectionString: String) { self.connectionString = connectionString }
    }

    private let shared: PoolShared
    private let thread: WorkerThread

    /// Starts the pool's thread, which connects at once.
    ///
    /// - Parameters:
    ///   - configuration: the connection parameters and timeouts.
    ///   - clock: the clock of the deadlines.
    ///   - log: called on the pool's thread with lost connections, failed attempts and recoveries.
    package init(
        _ configuration: Configuration,
        clock: MonotonicClock = .system,
        log: @escaping @Sendable (LogEvent) -> Void = { _ in }
    ) {
        let shared = PoolShared(name: configuration.name)
        self.shared = shared
        self.thread = WorkerThread(name: "postgres pool") {
            PoolDriver(configuration: configuration, clock: clock, shared: shared, log: log).run()
        }
    }

    deinit { _ = self.shared.close(nil) }

    /// The heartbeat of the pool's thread.
    package var heartbeat: Heartbeat { self.shared.heartbeat }

    /// Whether the pool is connected and the database answers.
    ///
    /// While it is not connected, the pool keeps trying.
    package var isHealthy: Bool { self.shared.isHealthy.load(ordering: .relaxed) }

    /// Runs one statement in a transaction of its own.
    @discardableResult
    package func query(
        _ sql: String,
        _ parameters: [PostgresValue] = []
    ) async throws(PostgresError) -> PostgresResult {
        try await self.pipeline([PostgresStatement(sql, parameters)])[0]
    }

    /// Runs several statements in one transaction and one round trip: either all take effect, or none.
    @discardableResult
    package func pipeline(
        _ statements: [PostgresStatement]
    ) async throws(PostgresError) -> [PostgresResult] {
        try await self.shared.run(statements, .anywhere, id: self.shared.makeID(), isCancellable: true)
    }

    /// Runs `body` in a transaction on a leased connection: committed when it returns, rolled back when it throws.
    ///
    /// After `connectionLost` from COMMIT the outcome is unknown, unless the transaction is numbered. Then the pool asks
    /// the database for the outcome, and returns or throws accordingly.
    ///
    /// - Parameters:
    ///   - isNumbered: whether the transaction gets a number when it begins, even if it only reads.
    ///   - body: the statements of the transaction.
    /// - Returns: the result of `body`.
    /// - Throws: the error of `body`, or the reason why the transaction was not committed.
    @discardableResult
    package func transaction<Value: Sendable>(
        isNumbered: Bool = false,
        _ body: (PostgresTransaction) async throws -> Value
    ) async throws -> Value {
        let transaction = PostgresTransaction(
            lease: self.shared.makeID(),
            shared: self.shared,
            isNumbered: isNumbered
        )
        let value: Value
        do {
            value = try await body(transaction)
        } catch {
            await transaction.rollBack()
            throw error
        }
        try await transaction.commit()
        return value
    }

    /// Fails all waiting requests, closes all connections, and returns when the thread has ended.
    package func close() async {
        await withCheckedContinuation { continuation in
            if !self.shared.close(continuation) { continuation.resume() }
        }
    }
}
