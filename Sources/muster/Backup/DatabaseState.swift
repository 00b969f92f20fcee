import Postgres

/// What a database contains, as far as a backup describes it.
struct DatabaseState {
    private let session: PostgresSession

    /// Creates a look at the database of a connected session.
    init(_ session: PostgresSession) { self.session = session }

    /// The server's version, such as 150004.
    func serverVersion() throws -> Int {
        let row = try self.session.execute("SELECT current_setting('server_version_num') AS version").onlyRow()
        return Int(try row?.text("version") ?? "") ?? 0
    }

    /// The number of the last migration; nil when no server has used the database.
    func schema() throws -> Int64? {
        let row = try self.session.execute("SELECT to_regclass('muster.schema_migration') IS NOT NULL AS is_used")
            .onlyRow()
        guard try row?.bool("is_used") == true else { return nil }
        return try self.session.execute("SELECT max(number) AS number FROM muster.schema_migration").onlyRow()?
            .int64("number")
    }

    /// Whether the database has no table, but those of extensions.
    func isEmpty() throws -> Bool { try self.tables().isEmpty }

    /// Counts the rows of each table.
    func rows() throws -> [String: Int64] {
        var rows: [String: Int64] = [:]
        for table in try self.tables() {
            let count = try self.session.execute(
                "SELECT count(*) AS count FROM \(table)",
                timeout: .seconds(3_600)
            ).onlyRow()
            rows[table] = try count?.int64("count")
        }
        return rows
    }

    /// The quoted names of all tables that belong to no extension.
    private func tables() throws -> [String] {
        let rows = try self.session.execute(
            """
            SELECT format('%I.%I', n.nspname, c.relname) AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
            WHERE c.relkind = 'r' AND n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'
                AND NOT EXISTS (SELECT 1 FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid
                    AND d.deptype = 'e')
            ORDER BY 1
            """
        )
        return try rows.map { try $0.text("name") }
    }
}

/// Runs `body` with a connected session.
///
/// Blocks.
func withSession<Value>(_ connectionString: String, _ body: (PostgresSession) throws -> Value) throws -> Value {
    let session = PostgresSession(connectionString: connectionString, timeout: .seconds(120))
    try session.connect()
    defer { session.close() }
    return try body(session)
}
