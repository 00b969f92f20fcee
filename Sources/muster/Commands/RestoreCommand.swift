import EventLoop
import Foundation
import MusterCommands
import MusterServer
import Postgres

/// `muster restore`: brings a backup into an empty database, or verifies it.
enum RestoreCommand: Command {
    static let name = "restore"
    static let summary = "Restore a folder of `muster backup` into an empty database, or verify it."
    static let usage = "DIR [--verify] [options]"
    static let discussion = """
        Compares each file with its checksum, restores the database in one transaction, compares the rows of each table,
        writes the secret key, and then does what `muster migrate --after-restore` does: all sharing is paused, because
        changes since the backup are unknown. The database must be empty, and no other secret key may be in the place of
        the old one. A server can start afterwards. The configuration stays in DIR.

        --verify restores into a database of its own beside the server's, compares the rows, and drops it again. Nothing
        else changes, and the server may run.
        """
    static let options: [Option] =
        BackupCommand.options + [
            Option("verify", help: "restore into a scratch database, compare, and drop it"),
            Option("keep-sharing", help: "do not pause sharing"),
            Option("end-logins", help: "end all logins, so that all users must log in again"),
            .migrations,
        ]

    static func run(_ values: OptionValues) async throws -> Int32 {
        guard values.operands.count == 1, let folder = values.operands.first else {
            throw UsageError("DIR is required: a folder of `muster backup`")
        }
        let isCheck = values.flag("verify")
        if isCheck, let option = ["keep-sharing", "end-logins"].first(where: { values.flag($0) }) {
            throw UsageError("--\(option) must not be combined with --verify, which changes nothing")
        }
        let sql = try values.sqlFolder()
        let key = values.secretKeyFile
        var choice = RestoreStep.Choice()
        choice.keepsSharing = values.flag("keep-sharing")
        choice.endsLogins = values.flag("end-logins")
        let (database, settled) = (values.database, choice)
        let lines = try await BlockingWork.run(named: "restore") { () throws in
            let manifest = try BackupManifest.read(folder)
            guard manifest.schema <= (try Migrator(directory: "\(sql)/migrations").newest()) else {
                throw BackupProblem("'\(folder)' is of a newer version; restore it with version \(manifest.program)")
            }
            return try database.withConnection { connectionString in
                if isCheck { return try Self.verify(folder, manifest, connectionString) }
                try Self.requireNoOtherKey(folder, key)
                try Self.restore(folder, manifest, connectionString, mustBeEmpty: true)
                try Self.keep(folder, key)
                let now = Int64(Date().timeIntervalSince1970 * 1000)
                let host = DatabaseHost(.external(connectionString: connectionString), logger: Logger(level: .warning))
                let done = try host.repairAfterRestore(from: sql, settled, atUnixMilliseconds: now)
                var lines = ["restored \(manifest.summary)"]
                for migration in done.applied { lines.append("applied \(migration.number) \(migration.name)") }
                return lines + done.repaired
            }
        }
        for line in lines { print(line) }
        return 0
    }

    /// Restores into a database, and compares it with the description.
    private static func restore(
        _ folder: String,
        _ manifest: BackupManifest,
        _ connectionString: String,
        mustBeEmpty: Bool
    ) throws {
        try withSession(connectionString) { session in
            let state = DatabaseState(session)
            if mustBeEmpty {
                guard try state.isEmpty() else {
                    throw BackupProblem(
                        "the database has tables, and nothing is restored over them; create an empty one with createdb"
                    )
                }
            }
            let tools = try ClientTools(for: connectionString, version: try state.serverVersion())
            // Rights are given to this role alone, by migrations that find it.
            let row = try session.execute(
                "SELECT current_database() AS name, EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'muster_ops') AS has_role"
            ).onlyRow()
            guard let row else { return }
            note("restoring the database")
            var arguments = ["--exit-on-error", "--single-transaction", "--no-owner", "--no-comments"]
            if try !row.bool("has_role") { arguments.append("--no-privileges") }
            arguments += ["--dbname=\(try row.text("name"))", "\(folder)/\(BackupManifest.database)"]
            try tools.run("pg_restore", arguments)
            note("counting the rows")
            let found = try state.rows()
            for table in Set(found.keys).union(manifest.rows.keys).sorted() where found[table] != manifest.rows[table] {
                throw BackupProblem(
                    "\(table) has \(found[table] ?? 0) rows, but had \(manifest.rows[table] ?? 0) when it was saved"
                )
            }
        }
    }

    /// Restores into a scratch database, which is dropped in any case.
    private static func verify(
        _ folder: String,
        _ manifest: BackupManifest,
        _ connectionString: String
    ) throws -> [String] {
        try withSession(connectionString) { session in
            let name = "muster_verify_\(UInt32.random(in: 0...UInt32.max))"
            do {
                try session.execute("CREATE DATABASE \(name)")
            } catch let error as PostgresError where error.sqlState == "42501" {
                throw BackupProblem(
                    "--verify must create a database: ALTER ROLE … CREATEDB, or set another PostgreSQL by --data-dir"
                )
            }
            defer { _ = try? session.execute("DROP DATABASE \(name) WITH (FORCE)", timeout: .seconds(120)) }
            let scratch = try ClientTools.connectionString(connectionString, database: name)
            try self.restore(folder, manifest, scratch, mustBeEmpty: false)
            return ["verified \(manifest.summary)"]
        }
    }

    /// Requires that the place of the secret key is free, or has the same key.
    private static func requireNoOtherKey(_ folder: String, _ path: String) throws {
        guard FileManager.default.fileExists(atPath: path) else { return }
        guard try SecretKey(file: path) == SecretKey(file: "\(folder)/\(BackupManifest.secretKey)") else {
            throw BackupProblem(
                "'\(path)' has another secret key than the backup; move it away, or name another file by --secret-key-file"
            )
        }
    }

    private static func keep(_ folder: String, _ path: String) throws {
        guard !FileManager.default.fileExists(atPath: path) else { return }
        let place = URL(filePath: path).deletingLastPathComponent()
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        try FileManager.default.copyItem(atPath: "\(folder)/\(BackupManifest.secretKey)", toPath: path)
    }
}
