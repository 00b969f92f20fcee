import EventLoop
import Glibc
import MusterTestSupport
import Synchronization
import Testing

@testable import Postgres

@Suite struct PostgresPoolTests {
    /// An error type of the caller, as in the store.
    private enum StoreFailure: Error {
        case notAllowed
    }

    /// Creates a pool on `database` or on a new database.
    ///
    /// All deadlines are long, except those that a test sets.
    ///
    /// When many tests run at once, a test may have to wait a minute for the processor.
    private func makePool(
        on database: String? = nil,
        size: Int = 4,
        _ change: (inout PostgresPool.Configuration) -> Void = { _ in }
    ) async throws -> PostgresPool {
        let connectionString = if let database { database } else { try await ThrowawayCluster.shared().makeDatabase() }
        var configuration = PostgresPool.Configuration(connectionString: connectionString)
        configuration.size = size
        configuration.acquireTimeout = .seconds(300)
        configuration.statementTimeout = .seconds(300)
        configuration.leaseTimeout = .seconds(300)
        change(&configuration)
        return PostgresPool(configuration)
    }

    @Test("200 queries at a time share 4 connections, and each gets its own answer")
    func manyQueries() async throws {
        let pool = try await self.makePool()
        let answers = try await withThrowingTaskGroup(of: (Int64, Int64, Int32).self) { group in
            for number in 0..<200 {
                group.addTask {
                    let sql = "SELECT $1::bigint AS number, pg_backend_pid() AS backend"
                    let row = try #require(try await pool.query(sql, [.int64(Int64(number))]).first)
                    return (Int64(number), try row.int64("number"), try row.int32("backend"))
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(answers.allSatisfy { $0.0 == $0.1 })
        #expect(answers.count == 200)
        #expect(Set(answers.map(\.2)).count <= 4)
        await pool.close()
    }

    @Test("a rejected statement fails its caller and nobody beside it")
    func rejectionStaysAlone() async throws {
        let pool = try await self.makePool(size: 1)
        let failures = await withTaskGroup(of: Bool.self) { group in
            for number in 0..<60 {
                group.addTask {
                    let isBad = number % 3 == 0
                    let sql = isBad ? "SELECT 1/0 AS one" : "SELECT 1 AS one"
                    do {
                        let one = try await pool.query(sql)[0].int64("one")
                        return isBad || one != 1
                    } catch {
                        return !isBad || (error as? PostgresError)?.sqlState != "22012"
                    }
                }
            }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(failures == 0)
        await pool.close()
    }

    @Test("who waits for a connection too long is told so, and the pool goes on")
    func exhausted() async throws {
        let pool = try await self.makePool(size: 1) { $0.acquireTimeout = .seconds(1) }
        while !pool.isHealthy { await Task.yield() }
        try await pool.transaction { transaction in
            try await transaction.query("SELECT 1")
            do throws(PostgresError) {
                try await pool.query("SELECT 1")
                Issue.record("a leased connection was given to somebody else")
            } catch {
                #expect(error.code == .timedOut)
            }
            try await transaction.query("SELECT 1")
        }
        #expect(try await pool.query("SELECT 1 AS one")[0].int64("one") == 1)
        await pool.close()
    }

    @Test("a transaction is committed when its body returns and rolled back when it throws")
    func transactions() async throws {
        let pool = try await self.makePool(size: 2)
        try await pool.query("CREATE TABLE t (n bigint PRIMARY KEY)")
        try await pool.transaction { transaction in
            try await transaction.query("INSERT INTO t VALUES (1)")
        }
        let failure = await #expect(throws: StoreFailure.self) {
            try await pool.transaction { transaction in
                try await transaction.query("INSERT INTO t VALUES (2)")
                throw StoreFailure.notAllowed
            }
        }
        #expect(failure == .notAllowed)
        #expect(try await pool.query("SELECT n FROM t").map { try $0.int64("n") } == [1])
        await pool.close()
    }

    @Test("a transaction whose failure was swallowed does not pass for committed")
    func swallowedFailure() async throws {
        let pool = try await self.makePool(size: 1)
        try await pool.query("CREATE TABLE t (n bigint PRIMARY KEY)")
        let failure = await #expect(throws: PostgresError.self) {
            try await pool.transaction { transaction in
                try await transaction.query("INSERT INTO t VALUES (1)")
                _ = try? await transaction.query("INSERT INTO t VALUES (1)")
            }
        }
        #expect(failure?.sqlState == "25P02")
        #expect(try await pool.query("SELECT n FROM t").isEmpty)
        await pool.close()
    }

    @Test("what comes with the commit is written with it or not at all, and the connection stays of use")
    func commitWithStatements() async throws {
        let pool = try await self.makePool(size: 1)
        try await pool.query("CREATE TABLE t (n bigint PRIMARY KEY)")
        let backend = try await pool.query("SELECT pg_backend_pid() AS pid")[0].int32("pid")
        let results = try await pool.transaction { transaction in
            let before = try await transaction.query("INSERT INTO t VALUES (1) RETURNING n")
            return before.map { $0 } + (try await transaction.commit(with: ["SELECT n + 1 AS n FROM t"])[0]).map { $0 }
        }
        #expect(try results.map { (row) throws(PostgresError) in try row.int64("n") } == [1, 2])
        for isFirst in [true, false] {
            let failure = await #expect(throws: PostgresError.self) {
                try await pool.transaction { transaction in
                    if !isFirst { try await transaction.query("INSERT INTO t VALUES (2)") }
                    try await transaction.commit(with: ["INSERT INTO t VALUES (3)", "INSERT INTO t VALUES (1)"])
                }
            }
            #expect(failure?.sqlState == "23505")
        }
        let misuse = await #expect(throws: PostgresError.self) {
            try await pool.transaction { transaction in
                try await transaction.commit(with: ["INSERT INTO t VALUES (4)"])
                try await transaction.query("INSERT INTO t VALUES (5)")
            }
        }
        #expect(misuse?.code == .misuse)
        #expect(try await pool.query("SELECT n FROM t ORDER BY n").map { try $0.int64("n") } == [1, 4])
        #expect(try await pool.query("SELECT pg_backend_pid() AS pid")[0].int32("pid") == backend)
        await pool.close()
    }

    @Test("a transaction whose first statement fails is rolled back, and the connection stays of use")
    func firstStatement() async throws {
        let pool = try await self.makePool(size: 1)
        let backend = try await pool.query("SELECT pg_backend_pid() AS pid")[0].int32("pid")
        let failure = await #expect(throws: PostgresError.self) {
            try await pool.transaction { transaction in
                try await transaction.query("SELECT 1/0 AS one")
            }
        }
        #expect(failure?.sqlState == "22012")
        #expect(try await pool.query("SELECT pg_backend_pid() AS pid")[0].int32("pid") == backend)
        await pool.close()
    }

    @Test("a transaction that holds its connection too long loses it")
    func leaseDeadline() async throws {
        let pool = try await self.makePool(size: 1) { $0.leaseTimeout = .seconds(1) }
        let failure = await #expect(throws: PostgresError.self) {
            try await pool.transaction { transaction in
                try await transaction.query("SELECT pg_sleep(60)")
            }
        }
        #expect(failure?.isConnectionProblem == true)
        #expect(try await pool.query("SELECT 1 AS one")[0].int64("one") == 1)
        await pool.close()
    }

    @Test("a statement that runs too long is cut short, and its connection stays of use")
    func statementDeadline() async throws {
        let pool = try await self.makePool(size: 1) { $0.statementTimeout = .seconds(1) }
        let failure = await #expect(throws: PostgresError.self) { try await pool.query("SELECT pg_sleep(60)") }
        #expect(failure?.code == .timedOut)
        #expect(try await pool.query("SELECT 1 AS one")[0].int64("one") == 1)
        await pool.close()
    }

    @Test("a cancelled task is let go at once; its transaction is rolled back and the connection used again")
    func cancellation() async throws {
        let database = try await ThrowawayCluster.shared().makeDatabase()
        let pool = try await self.makePool(on: database, size: 1)
        let holder = try await self.makePool(on: database, size: 1)
        try await pool.query("CREATE TABLE t (n bigint)")
        try await holder.query("SELECT pg_advisory_lock(5)")
        let hasInserted = AsyncStream.makeStream(of: Void.self)
        let wasLetGo = AsyncStream.makeStream(of: Void.self)
        let task = Task {
            try await pool.transaction { transaction in
                defer { wasLetGo.continuation.finish() }
                try await transaction.query("INSERT INTO t VALUES (1)")
                hasInserted.continuation.finish()
                try await transaction.query("SELECT pg_advisory_lock(5)")
            }
        }
        for await _ in hasInserted.stream {}
        task.cancel()
        for await _ in wasLetGo.stream {}
        // Only now the cancelled statement can end, followed by ROLLBACK.
        try await holder.query("SELECT pg_advisory_unlock(5)")
        let failure = await #expect(throws: PostgresError.self) { try await task.value }
        #expect(failure?.code == .cancelled)
        #expect(try await pool.query("SELECT * FROM t").isEmpty)
        await pool.close()
        await holder.close()
    }

    @Test("a task that was cancelled before it asked is not served")
    func cancelledBefore() async throws {
        let pool = try await self.makePool(size: 1)
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await pool.query("SELECT 1")
        }
        let failure = await #expect(throws: PostgresError.self) { try await task.value }
        #expect(failure?.code == .cancelled)
        await pool.close()
    }

    @Test("after close nobody is served and nobody hangs")
    func closed() async throws {
        let pool = try await self.makePool(size: 1)
        let callers = (0..<20).map { _ in Task { try await pool.query("SELECT pg_sleep(60)") } }
        while !pool.isHealthy { await Task.yield() }
        await pool.close()
        await pool.close()
        for caller in callers {
            let failure = await #expect(throws: PostgresError.self) { try await caller.value }
            #expect(failure?.code == .poolClosed)
        }
        let failure = await #expect(throws: PostgresError.self) { try await pool.query("SELECT 1") }
        #expect(failure?.code == .poolClosed)
    }

    @Test("a connection that the server ends is replaced")
    func terminatedBackends() async throws {
        let pool = try await self.makePool(size: 2)
        let backend = try await pool.query("SELECT pg_backend_pid() AS pid")[0].int32("pid")
        // The statement may be answered or lost, because it terminates its own connection.
        _ = try? await pool.query("SELECT pg_terminate_backend(\(backend))")
        let other = try await pool.query("SELECT pg_backend_pid() AS pid")[0].int32("pid")
        #expect(other != backend)
        await pool.close()
    }

    @Test("a server that stands still is noticed though nobody asks it anything, and when it goes on, too")
    func standstill() async throws {
        let log = Mutex<[String]>([])
        var configuration = PostgresPool.Configuration(
            connectionString: try await ThrowawayCluster.shared().makeDatabase()
        )
        configuration.size = 1
        configuration.acquireTimeout = .seconds(300)
        configuration.probeInterval = .milliseconds(50)
        configuration.silenceLimit = .seconds(2)
        let pool = PostgresPool(configuration) { entry in log.withLock { $0.append(entry.message) } }
        let backend = try await pool.query("SELECT pg_backend_pid() AS pid")[0].int32("pid")
        #expect(pool.isHealthy)
        kill(backend, SIGSTOP)
        defer { kill(backend, SIGCONT) }
        #expect(try await onWorkerThread { eventually { !pool.isHealthy } })
        kill(backend, SIGCONT)
        #expect(try await onWorkerThread { eventually { pool.isHealthy } })
        #expect(try await pool.query("SELECT pg_backend_pid() AS pid")[0].int32("pid") == backend)
        #expect(log.withLock { $0 } == ["the database does not answer", "the database answers again"])
        await pool.close()
    }

    @Test("one long statement is no standstill while the server answers others")
    func longStatement() async throws {
        let pool = try await self.makePool(size: 2) {
            $0.probeInterval = .milliseconds(50)
            // A slow machine may need seconds for a probe.
            $0.silenceLimit = .seconds(6)
        }
        let long = Task { try await pool.query("SELECT pg_sleep(9)") }
        let wasHealthy = try await onWorkerThread {
            // The pool must connect first.
            eventually { pool.isHealthy } && !eventually(within: 8900) { !pool.isHealthy }
        }
        #expect(wasHealthy)
        _ = try await long.value
        await pool.close()
    }

    @Test("a server that stops and comes back is noticed both times, and the pool serves again")
    func restart() async throws {
        let cluster = try await ThrowawayCluster.dedicated()
        let log = Mutex<[String]>([])
        var configuration = PostgresPool.Configuration(connectionString: try await cluster.makeDatabase())
        configuration.size = 2
        // The maximum time of the first connection attempt.
        configuration.acquireTimeout = .seconds(10)
        configuration.probeInterval = .milliseconds(50)
        let pool = PostgresPool(configuration) { entry in log.withLock { $0.append(entry.message) } }
        try await pool.query("CREATE TABLE t (n bigint)")
        #expect(pool.isHealthy)
        try await cluster.stop()
        while pool.isHealthy { await Task.yield() }
        let failure = await #expect(throws: PostgresError.self) { try await pool.query("SELECT 1") }
        #expect(failure?.code == .connectFailed)
        try await cluster.start()
        while !pool.isHealthy { await Task.yield() }
        try await pool.query("INSERT INTO t VALUES (1)")
        #expect(
            try await onWorkerThread {
                eventually(within: 20_000) { log.withLock { $0.contains("the database is reachable again") } }
            }
        )
        await pool.close()
    }

    @Test("of connections that are lost again and again the log has one line, and one when that has ended")
    func lostOften() async throws {
        let log = Mutex<[String]>([])
        let database = try await ThrowawayCluster.shared().makeDatabase()
        var configuration = PostgresPool.Configuration(connectionString: database)
        configuration.size = 4
        configuration.probeInterval = .milliseconds(50)
        let pool = PostgresPool(configuration) { entry in log.withLock { $0.append(entry.message) } }
        try await pool.query("SELECT 1")
        try await onWorkerThread {
            let psql = PostgresSession(connectionString: database)
            try psql.connectWithRetries()
            for _ in 1...10 {
                #expect(
                    eventually {
                        let ended = try? psql.execute(
                            """
                            SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                            WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'
                            """
                        )
                        return ended?.isEmpty == false
                    }
                )
            }
        }
        #expect(
            try await onWorkerThread {
                eventually(within: 20_000) { log.withLock { $0.contains("the database is reachable again") } }
            }
        )
        let lines = log.withLock { $0 }
        #expect(lines.count == 2 && lines[0].hasPrefix("lost a connection"), "\(lines)")
        await pool.close()
    }
}
