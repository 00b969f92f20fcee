package import EventLoop
import Synchronization

/// A pool of connections for `async` code.
///
/// One thread drives all of its connections, so that nothing here blocks a thread of Swift's cooperative pool.
package final class PostgresPool: Sendable {
    /// How a pool connects and how long its callers wait.
    package struct Configuration: Sendable {
        /// A libpq connection string or URL.
        package var connectionString: String
        /// The name of its loop.
        package var name = "pool"
        /// The greatest number of connections; they are opened as they are needed.
        package var size = 8
        /// How long a call waits for a connection that can take it.
        package var acquireTimeout: Duration = .seconds(5)
        /// How long a statement may take, once a connection has taken it.
        package var statementTimeout: Duration = .seconds(15)
        /// How long a transaction may hold its connection.
        package var leaseTimeout: Duration = .seconds(30)
        /// How long one attempt to connect may take.
        package var connectTimeout: Duration = .seconds(5)
        /// How long the server may keep silent before it is asked for a sign of life.
        package var probeInterval: Duration = .seconds(2)
        /// How long it may owe every answer before the pool does not count as healthy.
        package var silenceLimit: Duration = .seconds(5)
        /// How many statements may be under way on one connection at a time.
        package var pipelineDepth = 4
        /// Settings of the server for each connection, as `name=value`.
        package var settings: [String] = []

        /// Creates the usual configuration for a server.
        package init(connectionString: String) { self.connectionString = connectionString }
    }

    private let shared: PoolShared
    private let thread: WorkerThread

    /// Starts the pool's thread, which begins to connect at once.
    ///
    /// - Parameters:
    ///   - configuration: where to connect, how often, and how long to wait.
    ///   - clock: what deadlines are measured with.
    ///   - log: told of lost connections, failed attempts and recoveries; called on the pool's thread.
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

    /// Marks the turns of the pool's thread.
    package var heartbeat: Heartbeat { self.shared.heartbeat }

    /// Whether there is a connection to the database and it answers; while there is none, the pool keeps trying.
    package var isHealthy: Bool { self.shared.isHealthy.load(ordering: .relaxed) }

    /// Runs one statement in a transaction of its own.
    @discardableResult
    package func query(
        _ sql: String,
        _ parameters: [PostgresValue] = []
    ) async throws(PostgresError) -> PostgresResult {
        try await self.pipeline([PostgresStatement(sql, parameters)])[0]
    }

    /// Runs several statements in one transaction and one round trip: all of them take effect, or none.
    @discardableResult
    package func pipeline(
        _ statements: [PostgresStatement]
    ) async throws(PostgresError) -> [PostgresResult] {
        try await self.shared.run(statements, .anywhere, id: self.shared.makeID(), isCancellable: true)
    }

    /// Runs `body` in a transaction on a connection of its own: committed when it returns, rolled back when it throws.
    ///
    /// The closure says what it throws: `pool.transaction { transaction throws(PostgresError) in … }`. After
    /// `connectionLost` from COMMIT it is not known whether it took effect, unless the transaction is numbered: then the
    /// database is asked, and the call returns or throws by what it says.
    ///
    /// - Parameters:
    ///   - isNumbered: whether the transaction gets a number when it begins, even if it only reads.
    ///   - body: what is done in the transaction.
    /// - Returns: what `body` returned.
    /// - Throws: what `body` threw, or why it was not committed.
    @discardableResult
    package func transaction<Value: Sendable, Failure: PostgresFailure>(
        isNumbered: Bool = false,
        _ body: (PostgresTransaction) async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
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
        do {
            try await transaction.commit()
        } catch {
            throw Failure(error)
        }
        return value
    }

    /// Fails what waits, ends all connections, and returns when the thread has ended.
    package func close() async {
        await withCheckedContinuation { continuation in
            if !self.shared.close(continuation) { continuation.resume() }
        }
    }
}
