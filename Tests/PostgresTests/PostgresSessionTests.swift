import EventLoop
import MusterTestSupport
import Testing

@testable import Postgres

@Suite struct PostgresSessionTests {
    /// Runs `body` on its own thread with a session on a new database.
    private func withSession<Value: Sendable>(
        _ body: @escaping @Sendable (PostgresSession) throws -> Value
    ) async throws -> Value {
        let database = try await ThrowawayCluster.shared().makeDatabase()
        return try await onWorkerThread {
            let session = PostgresSession(connectionString: database)
            try session.connectWithRetries()
            return try body(session)
        }
    }

    @Test(
        "a statement that the server rejects says why, and the session goes on",
        arguments: [
            ("SELECT nothing", "42703"), ("SELEC 1", "42601"), ("SELECT 1/0", "22012"),
            ("INSERT INTO unique_number VALUES (1)", "23505"), ("INSERT INTO positive VALUES (-1)", "23514"),
            ("INSERT INTO child VALUES (7)", "23503"), ("SELECT * FROM missing", "42P01"),
        ]
    )
    func rejects(sql: String, sqlState: String) async throws {
        try await self.withSession { session in
            try session.executeScript(
                """
                CREATE TABLE unique_number (number int PRIMARY KEY); INSERT INTO unique_number VALUES (1);
                CREATE TABLE positive (number int CHECK (number > 0));
                CREATE TABLE child (number int REFERENCES unique_number);
                """
            )
            let error = #expect(throws: PostgresError.self) { try session.execute(sql) }
            #expect(error?.code == .server)
            #expect(error?.sqlState == sqlState)
            #expect(error?.isUniqueViolation == (sqlState == "23505"))
            #expect(error?.isConnectionProblem == false)
            #expect(try session.execute("SELECT 1 AS one").first?.int64("one") == 1)
        }
    }

    @Test("a failing script undoes itself and says why")
    func failingScript() async throws {
        try await self.withSession { session in
            let error = #expect(throws: PostgresError.self) {
                try session.executeScript("CREATE TABLE a (n int); SELECT 1/0; CREATE TABLE b (n int)")
            }
            #expect(error?.sqlState == "22012")
            let isGone = try session.execute("SELECT to_regclass('a') IS NULL AS gone")[0].bool("gone")
            #expect(isGone)
        }
    }

    @Test("a column that is missing, NULL or of another type is an error that names it")
    func decodingErrors() async throws {
        try await self.withSession { session in
            let row = try #require(try session.execute("SELECT 'x'::text AS name, NULL::bigint AS size").first)
            let missing = #expect(throws: PostgresError.self) { try row.int64("age") }
            #expect(missing?.message == #"there is no column "age" among name, size"#)
            let null = #expect(throws: PostgresError.self) { try row.int64("size") }
            #expect(null?.message.contains(#"column "size" holds NULL"#) == true)
            let type = #expect(throws: PostgresError.self) { try row.int64("name") }
            #expect(type?.code == .decoding)
            #expect(try row.optionalInt64("size") == nil)
        }
    }

    @Test("a NULL fits the statement that was prepared with a value, and the other way round")
    func nullsAndValuesShareStatements() async throws {
        try await self.withSession { session in
            try session.executeScript("CREATE TABLE t (a bigint, b text)")
            let rows: [[PostgresValue]] = [
                [.null, .null], [.int64(1), .null], [.null, .text("x")], [.int64(2), .text("y")],
            ]
            for row in rows + rows { try session.execute("INSERT INTO t VALUES ($1, $2)", row) }
            let sums = try #require(try session.execute("SELECT count(a) AS a, count(b) AS b FROM t").first)
            #expect(try sums.int64("a") == 4)
            #expect(try sums.int64("b") == 4)
        }
    }

    @Test("a failure in the middle of a pipeline undoes the pipeline, and the next one works")
    func failureInPipeline() async throws {
        try await self.withSession { session in
            try session.executeScript("CREATE TABLE t (n bigint PRIMARY KEY)")
            let insert = "INSERT INTO t VALUES ($1)"
            let statements = [1, 2, 2, 3].map { PostgresStatement(insert, [.int64($0)]) }
            let error = #expect(throws: PostgresError.self) { try session.pipeline(statements) }
            #expect(error?.isUniqueViolation == true)
            #expect(try session.execute("SELECT count(*) AS n FROM t").first?.int64("n") == 0)
            // Statements that were skipped before they were prepared must not count as prepared.
            let skipped: [PostgresStatement] = ["SELECT 1/0", "SELECT 5 AS five"]
            #expect(throws: PostgresError.self) { try session.pipeline(skipped) }
            #expect(try session.execute("SELECT 5 AS five").first?.int64("five") == 5)
            let results = try session.pipeline([PostgresStatement(insert, [.int64(1)]), "SELECT count(*) AS n FROM t"])
            #expect(results.map(\.affectedRows) == [1, 1])
            #expect(try results[1].first?.int64("n") == 1)
        }
    }

    @Test("a statement survives a change of the table that it was prepared for")
    func tableChanges() async throws {
        try await self.withSession { session in
            try session.executeScript("CREATE TABLE t (n bigint); INSERT INTO t VALUES (1)")
            try session.execute("SELECT * FROM t")
            try session.executeScript("ALTER TABLE t ADD COLUMN m bigint DEFAULT 2")
            // The server refuses the first use after the change; then the statement is prepared again.
            #expect(throws: PostgresError.self) { try session.execute("SELECT * FROM t") }
            #expect(try session.execute("SELECT * FROM t").first?.int64("m") == 2)
        }
    }

    @Test("a call that takes too long ends at its deadline, and the session connects anew")
    func deadline() async throws {
        try await self.withSession { session in
            let error = #expect(throws: PostgresError.self) {
                try session.execute("SELECT pg_sleep(60)", timeout: .milliseconds(50))
            }
            #expect(error?.code == .timedOut)
            #expect(!session.isConnected)
            try session.connectWithRetries()
            #expect(try session.execute("SELECT 1 AS one").first?.int64("one") == 1)
        }
    }

    @Test("an interrupt ends the call that waits")
    func interrupt() async throws {
        let database = try await ThrowawayCluster.shared().connectionString
        try await onWorkerThread {
            let interrupt = WakeSignal()
            let session = PostgresSession(connectionString: database, interrupt: interrupt)
            try session.connectWithRetries()
            interrupt.raise()
            let error = #expect(throws: PostgresError.self) { try session.execute("SELECT pg_sleep(60)") }
            #expect(error?.code == .cancelled)
        }
    }

    @Test("an interrupt ends work between two calls")
    func interruptBetween() throws {
        let interrupt = WakeSignal()
        let session = PostgresSession(connectionString: "", interrupt: interrupt)
        try session.checkInterrupt()
        interrupt.raise()
        #expect(throws: PostgresError.self) { try session.checkInterrupt() }
        #expect(throws: PostgresError.self) { try session.checkInterrupt() }
    }

    @Test("a notification reaches the session that listens, and a wake ends the wait for one")
    func notifications() async throws {
        let database = try await ThrowawayCluster.shared().makeDatabase()
        try await onWorkerThread {
            let listener = PostgresSession(connectionString: database)
            try listener.connectWithRetries()
            try listener.execute("LISTEN groups")
            let speaker = PostgresSession(connectionString: database)
            try speaker.connectWithRetries()
            try speaker.execute("SELECT pg_notify('groups', 'changed: ü')")
            let heard = try listener.notifications(timeout: .seconds(10))
            #expect(heard == [PostgresNotification(channel: "groups", payload: "changed: ü")])
            let wake = WakeSignal()
            wake.raise()
            #expect(try listener.notifications(wake: wake, timeout: .seconds(60)).isEmpty)
        }
    }

    @Test("connecting to nowhere fails at once and says where")
    func nowhere() async throws {
        try await onWorkerThread {
            let session = PostgresSession(connectionString: "host=/nonexistent user=muster dbname=muster")
            let error = #expect(throws: PostgresError.self) { try session.connect() }
            #expect(error?.code == .connectFailed)
            #expect(error?.message.contains("/nonexistent") == true)
        }
    }
}
