/// A forward-only migrator of a database's schema, based on numbered files.
///
/// Files are named `0001-name.sql`, without gaps. Each runs in a transaction of its own, under an advisory lock that
/// serialises concurrent servers, and is recorded with its checksum in `muster.schema_migration`. All calls block: use
/// them before serving, or on a separate thread.
package struct Migrator: Sendable {
    /// A migration, and whether it is applied.
    package struct Status: Sendable, Hashable {
        /// The number at the start of the file's name.
        package let number: Int
        /// The name after the number, without `.sql`.
        package let name: String
        /// The time of its application, in milliseconds since the Unix epoch; `nil` when it is pending.
        package let appliedAtUnixMilliseconds: Int64?
    }

    /// The advisory lock for migrations: the bytes of "muster" and a counter, as a number.
    private static let lock: Int64 = 0x6D75_7374_6572_0001

    /// The time limit of one migration, and of the wait for another server's migrations.
    private static let timeout: Duration = .seconds(600)

    private let directory: String

    /// Creates a migrator for the files in `directory`.
    package init(directory: String) { self.directory = directory }

    /// Applies all pending migrations, after checking that the applied ones are unchanged.
    ///
    /// - Parameter session: a connected session without a transaction.
    /// - Returns: the migrations that this call applied.
    /// - Throws: `migration` when files and database contradict each other; then nothing has changed. `server` when a
    ///   migration fails; then the ones before it have been applied.
    @discardableResult
    package func migrate(_ session: PostgresSession) throws(PostgresError) -> [Status] {
        let files = try MigrationFile.read(self.directory)
        try Self.requireVersion(try session.execute("SELECT current_setting('server_version_num') AS version"))
        try session.execute("SELECT pg_advisory_lock($1)", [.int64(Self.lock)], timeout: Self.timeout)
        do {
            let applied = try self.applyPending(files, session)
            try session.execute("SELECT pg_advisory_unlock($1)", [.int64(Self.lock)])
            return applied
        } catch {
            // If this also fails, the lock is released with the connection.
            _ = try? session.execute("SELECT pg_advisory_unlock($1)", [.int64(Self.lock)])
            throw error
        }
    }

    /// Throws when a server is too old for the migrations.
    private static func requireVersion(_ result: PostgresResult) throws(PostgresError) {
        let text = try result.onlyRow()?.text("version") ?? ""
        try self.requireVersion(Int(text) ?? 0)
    }

    /// Throws when a server version, such as 150004, is too old.
    static func requireVersion(_ version: Int) throws(PostgresError) {
        guard version < 150_000 else { return }
        throw PostgresError(.server, message: "PostgreSQL \(version / 10_000) is too old: 15 or newer is needed")
    }

    /// Returns every migration with the time of its application.
    ///
    /// Changes nothing.
    ///
    /// - Parameter session: a connected session.
    /// - Returns: the migrations in the order of their numbers.
    /// - Throws: `migration` when files and database contradict each other.
    package func status(_ session: PostgresSession) throws(PostgresError) -> [Status] {
        let files = try MigrationFile.read(self.directory)
        let applied = try AppliedMigration.read(session)
        try self.compare(files, applied, session)
        return files.map { file in
            let match = applied.first { $0.number == file.number }
            return Status(number: file.number, name: file.name, appliedAtUnixMilliseconds: match?.appliedAt)
        }
    }

    /// Returns the number of the newest migration.
    ///
    /// - Throws: `migration` when the files cannot be read.
    package func newest() throws(PostgresError) -> Int64 { Int64(try MigrationFile.read(self.directory).count) }

    private func applyPending(_ files: [MigrationFile], _ session: PostgresSession) throws(PostgresError) -> [Status] {
        try session.executeScript(
            """
            CREATE SCHEMA IF NOT EXISTS muster;
            CREATE TABLE IF NOT EXISTS muster.schema_migration (
                number integer PRIMARY KEY,
                name text NOT NULL,
                checksum text NOT NULL,
                applied_at timestamptz NOT NULL DEFAULT now()
            );
            COMMENT ON TABLE muster.schema_migration IS 'Migrations that were applied to this database.';
            COMMENT ON COLUMN muster.schema_migration.checksum IS 'SHA-256 of the file, in hexadecimal.';
            """
        )
        let applied = try AppliedMigration.read(session)
        try self.compare(files, applied, session)
        var statuses: [Status] = []
        for file in files.dropFirst(applied.count) { statuses.append(try self.applyUntilNoDeadlock(file, session)) }
        return statuses
    }

    /// Applies a migration, up to five times while it loses deadlocks.
    ///
    /// A server that still runs may lock the same tables in another order. A migration that lost has changed nothing.
    private func applyUntilNoDeadlock(
        _ file: MigrationFile,
        _ session: PostgresSession
    ) throws(PostgresError) -> Status {
        for _ in 1..<5 {
            do throws(PostgresError) {
                return try self.apply(file, session)
            } catch {
                guard error.isRetryable else { throw error }
            }
        }
        return try self.apply(file, session)
    }

    private func apply(_ file: MigrationFile, _ session: PostgresSession) throws(PostgresError) -> Status {
        do {
            try session.execute("BEGIN")
            try session.executeScript(file.sql, timeout: Self.timeout)
            let row = try session.execute(
                """
                INSERT INTO muster.schema_migration (number, name, checksum) VALUES ($1, $2, $3) RETURNING applied_at
                """,
                [.int32(Int32(file.number)), .text(file.name), .text(try file.checksum(session))]
            )
            try session.execute("COMMIT")
            let appliedAt = try row.onlyRow()?.unixMilliseconds("applied_at")
            return Status(number: file.number, name: file.name, appliedAtUnixMilliseconds: appliedAt)
        } catch {
            if session.isInTransaction { _ = try? session.execute("ROLLBACK") }
            throw PostgresError(
                error.code,
                message: "migration \(file.fileName): \(error.message)",
                sqlState: error.sqlState,
                constraint: error.constraint,
                detail: error.detail
            )
        }
    }

    /// Checks that the applied migrations equal the first files in their current form.
    private func compare(
        _ files: [MigrationFile],
        _ applied: [AppliedMigration],
        _ session: PostgresSession
    ) throws(PostgresError) {
        for (index, migration) in applied.enumerated() {
            guard index < files.count, files[index].number == migration.number else {
                let message = "migration \(migration.number) (\(migration.name)) was applied, but its file is missing"
                throw PostgresError(.migration, message: message)
            }
            guard try files[index].checksum(session) == migration.checksum else {
                let message = "\(files[index].fileName) was changed after it was applied; write a new migration instead"
                throw PostgresError(.migration, message: message)
            }
        }
    }
}
