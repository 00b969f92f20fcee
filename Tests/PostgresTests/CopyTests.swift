import MusterTestSupport
import Testing

@testable import Postgres

@Suite struct CopyTests {
    private static let copy = "COPY fix FROM STDIN (FORMAT binary)"
    private static let table = """
        CREATE TABLE fix (
            id bigint PRIMARY KEY CHECK (id >= 0), small smallint, number int, place double precision, accuracy real,
            sharing boolean, name text, at timestamptz, raw bytea, extra jsonb
        )
        """

    /// Appends `count` rows that differ in every column and contain some NULLs.
    private static func append(_ count: Int, to rows: inout CopyWriter) {
        for number in 0..<count {
            rows.beginRow()
            rows.append(Int64(number))
            rows.append(Int16(number % 100))
            rows.append(number % 3 == 0 ? nil : Int32(-number))
            rows.append(Double(number) / 7)
            rows.append(number % 5 == 0 ? nil : Float(number) / 3)
            rows.append(number % 2 == 0)
            rows.append("name \(number) ü")
            rows.append(unixMilliseconds: 1_735_689_600_000 + Int64(number))
            rows.append([UInt8(number % 256)])
            rows.append(jsonb: #"{"number": \#(number)}"#)
        }
    }

    private static func count(_ session: PostgresSession) throws -> Int64 {
        try session.execute("SELECT count(*) AS n FROM fix")[0].int64("n")
    }

    @Test("10,000 rows are read back as they were copied")
    func copiesRows() async throws {
        let database = try await ThrowawayCluster.shared().makeDatabase()
        try await onWorkerThread {
            let session = PostgresSession(connectionString: database)
            try session.connectWithRetries()
            try session.executeScript(Self.table)
            var rows = CopyWriter(columnCount: 10)
            Self.append(10_000, to: &rows)
            #expect(try session.copyIn(Self.copy, rows: rows) == 10_000)
            let result = try session.execute("SELECT * FROM fix ORDER BY id")
            #expect(result.count == 10_000)
            for (number, row) in result.enumerated() {
                try #require(try row.int64("id") == Int64(number))
                try #require(try row.int16("small") == Int16(number % 100))
                try #require(try row.optionalInt32("number") == (number % 3 == 0 ? nil : Int32(-number)))
                try #require(try row.float8("place") == Double(number) / 7)
                try #require(try row.optionalFloat4("accuracy") == (number % 5 == 0 ? nil : Float(number) / 3))
                try #require(try row.bool("sharing") == (number % 2 == 0))
                try #require(try row.text("name") == "name \(number) ü")
                try #require(try row.unixMilliseconds("at") == 1_735_689_600_000 + Int64(number))
                try #require(try row.bytes("raw") == [UInt8(number % 256)])
                try #require(try row.text("extra") == #"{"number": \#(number)}"#)
            }
        }
    }

    @Test("rows are copied in the order in which they were put, also after more were added")
    func arrangesRows() async throws {
        let database = try await ThrowawayCluster.shared().makeDatabase()
        try await onWorkerThread {
            let session = PostgresSession(connectionString: database)
            try session.connectWithRetries()
            try session.executeScript("CREATE TABLE word (text text)")
            var rows = CopyWriter(columnCount: 1)
            for word in ["one", "two hundred", ""] {
                rows.beginRow()
                rows.append(word)
            }
            rows.arrange(by: [2, 0, 1])
            rows.beginRow()
            rows.append("four")
            rows.arrange(by: [3, 1, 0, 2])
            try session.copyIn("COPY word FROM STDIN (FORMAT binary)", rows: rows)
            let result = try session.execute("SELECT text FROM word ORDER BY ctid")
            #expect(try result.map { try $0.text("text") } == ["four", "one", "", "two hundred"])
        }
    }

    @Test("a batch with a bad row leaves nothing, and its halves can be copied from the same rows")
    func halvesBatch() async throws {
        let database = try await ThrowawayCluster.shared().makeDatabase()
        try await onWorkerThread {
            let session = PostgresSession(connectionString: database)
            try session.connectWithRetries()
            try session.executeScript(
                "CREATE TABLE fix (id bigint CHECK (id >= 0)); CREATE TABLE device (acked bigint)"
            )
            var rows = CopyWriter(columnCount: 1)
            for id: Int64 in [1, 2, -3, 4] {
                rows.beginRow()
                rows.append(id)
            }
            let ack = PostgresStatement("INSERT INTO device VALUES ($1)", [.int64(9)])
            let error = #expect(throws: PostgresError.self) {
                try session.writeBatch(copy: Self.copy, rows: rows, then: [ack])
            }
            #expect(error?.isCheckViolation == true)
            #expect(try Self.count(session) == 0)
            try session.writeBatch(copy: Self.copy, rows: rows, range: 0..<2, then: [ack])
            try session.writeBatch(copy: Self.copy, rows: rows, range: 3..<4, then: [ack])
            // A batch may have no rows to copy. A failing statement rolls back the rows.
            try session.writeBatch(copy: Self.copy, rows: rows, range: 0..<0, then: [ack])
            #expect(throws: PostgresError.self) {
                try session.writeBatch(copy: Self.copy, rows: rows, range: 0..<2, then: [ack, "SELECT 1/0"])
            }
            let written = try session.execute("SELECT array_agg(id ORDER BY id) AS ids FROM fix")
            #expect(try written.first?.int64Array("ids") == [1, 2, 4])
            #expect(try session.execute("SELECT * FROM device").count == 3)
        }
    }

    @Test("a writer can be filled again after it was emptied")
    func reusesWriter() async throws {
        let database = try await ThrowawayCluster.shared().makeDatabase()
        try await onWorkerThread {
            let session = PostgresSession(connectionString: database)
            try session.connectWithRetries()
            try session.executeScript(Self.table)
            var rows = CopyWriter(columnCount: 10, capacity: 16)
            Self.append(500, to: &rows)
            rows.removeAll()
            Self.append(20, to: &rows)
            #expect(try session.copyIn(Self.copy, rows: rows) == 20)
            #expect(try Self.count(session) == 20)
        }
    }

    @Test(
        "a server that dies in the middle of a COPY leaves nothing, and the copy succeeds when it is back",
        arguments: [EmbeddedCluster.StopMode.immediate, nil]
    )
    func serverDies(stop: EmbeddedCluster.StopMode?) async throws {
        let cluster = try await ThrowawayCluster.dedicated()
        let database = try await cluster.makeDatabase()
        // The first row waits for a lock of another session, so that the server always dies in the middle.
        try await onWorkerThread {
            let session = PostgresSession(connectionString: database)
            try session.connectWithRetries()
            try session.executeScript(
                """
                \(Self.table);
                CREATE FUNCTION wait_for_lock() RETURNS trigger LANGUAGE plpgsql AS
                    'BEGIN PERFORM pg_advisory_xact_lock(1); RETURN NEW; END';
                CREATE TRIGGER wait BEFORE INSERT ON fix FOR EACH ROW EXECUTE FUNCTION wait_for_lock();
                """
            )
        }
        async let copied: Result<Int, any Error> = onWorkerThread {
            let holder = PostgresSession(connectionString: database)
            try holder.connectWithRetries()
            try holder.execute("SELECT pg_advisory_lock(1)")
            let session = PostgresSession(connectionString: database)
            try session.connectWithRetries()
            var rows = CopyWriter(columnCount: 10)
            Self.append(10_000, to: &rows)
            return Result { try session.copyIn("BEGIN; \(Self.copy)", rows: rows) }
        }
        try await onWorkerThread {
            let observer = PostgresSession(connectionString: database)
            try observer.connectWithRetries()
            let waiting = "SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"
            while try observer.execute(waiting).isEmpty { try observer.execute("SELECT pg_sleep(0.01)") }
        }
        if let stop { try await cluster.stop(stop) } else { try await cluster.killServer() }
        let result = try await copied
        let failure = #expect(throws: PostgresError.self) { try result.get() }
        #expect(failure?.code == .connectionLost)
        try await cluster.start()
        try await onWorkerThread {
            let session = PostgresSession(connectionString: database)
            try session.connectWithRetries()
            #expect(try Self.count(session) == 0)
            var rows = CopyWriter(columnCount: 10)
            Self.append(10_000, to: &rows)
            try session.writeBatch(copy: Self.copy, rows: rows, then: [])
            #expect(try Self.count(session) == 10_000)
        }
    }
}
