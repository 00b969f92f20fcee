import EventLoop
import Foundation
import MusterCommands
import MusterServer
import Postgres

/// `muster backup`: saves the database, the secret key and the configuration into one folder.
enum BackupCommand: Command {
    static let name = "backup"
    static let summary = "Save the database, the secret key and the configuration into one folder."
    static let usage = "DIR [options]"
    static let discussion = """
        Creates the folder DIR with database.dump, secret.key, the file of --config, and backup.json, which has the
        checksum of each file and the number of rows of each table. A server may run meanwhile: the backup is of one
        moment. The folder appears when it is complete. Photos are in it; the map of streets is not, import it again.
        Whoever reads the folder can read everything, so only its owner may enter it.

          muster backup /var/backups/muster-$(date +%F)
          muster restore /var/backups/muster-2026-11-27 --verify
        """
    static let options: [Option] =
        [
            Option(
                "secret-key-file",
                .one("FILE"),
                help: "the file of the server's secret key [secret.key in the data folder]"
            )
        ] + Option.database

    static func run(_ values: OptionValues) async throws -> Int32 {
        guard values.operands.count == 1, let folder = values.operands.first, !folder.isEmpty else {
            throw UsageError("DIR is required: the folder to create")
        }
        guard !FileManager.default.fileExists(atPath: folder) else {
            throw UsageError("'\(folder)' exists; name a new folder, for a backup replaces nothing")
        }
        let key = values.secretKeyFile
        guard let secret = FileManager.default.contents(atPath: key), (try? SecretKey(file: key)) != nil else {
            throw UsageError("--secret-key-file: cannot read a secret key from '\(key)'; name the file of the server")
        }
        let configuration = values.text("config").map { FileManager.default.contents(atPath: $0) ?? Data() }
        let database = values.database
        try database.requireCluster("no server has used it; set the database of the server")
        let lines = try await BlockingWork.run(named: "backup") { () throws in
            // The folder has another name until it is complete.
            let partial = "\(folder).partial"
            try? FileManager.default.removeItem(atPath: partial)
            try FileManager.default.createDirectory(
                atPath: partial,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
            do {
                try Self.write(secret, to: "\(partial)/\(BackupManifest.secretKey)")
                if let configuration { try Self.write(configuration, to: "\(partial)/\(BackupManifest.configuration)") }
                let manifest = try database.withConnection { try Self.dump($0, into: partial) }
                try FileManager.default.moveItem(atPath: partial, toPath: folder)
                return ["saved \(manifest.summary) in \(folder)", "not in it: the map of streets"]
            } catch {
                try? FileManager.default.removeItem(atPath: partial)
                throw error
            }
        }
        for line in lines { print(line) }
        return 0
    }

    /// Saves one moment of the database, and describes the folder.
    private static func dump(_ connectionString: String, into folder: String) throws -> BackupManifest {
        try withSession(connectionString) { session in
            let state = DatabaseState(session)
            let tools = try ClientTools(for: connectionString, version: try state.serverVersion())
            try session.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
            let row = try session.execute(
                """
                SELECT pg_export_snapshot() AS snapshot,
                    to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS at
                """
            ).onlyRow()
            guard let row, let schema = try state.schema() else {
                throw BackupProblem("the database is empty; set the database of the server")
            }
            note("counting the rows")
            var manifest = BackupManifest(at: try row.text("at"), schema: schema, rows: try state.rows())
            note("saving the database")
            let path = "\(folder)/\(BackupManifest.database)"
            try tools.run(
                "pg_dump",
                ["--format=custom", "--no-owner", "--snapshot=\(try row.text("snapshot"))", "--file=\(path)"]
            )
            try session.execute("COMMIT")
            for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
                let file = "\(folder)/\(name)"
                try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
                manifest.files[name] = try BackupManifest.File(at: file)
                try self.flush(file)
            }
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            try self.write(try encoder.encode(manifest), to: "\(folder)/\(BackupManifest.fileName)")
            try self.flush(folder)
            return manifest
        }
    }

    private static func write(_ content: Data, to path: String) throws {
        try content.write(to: URL(filePath: path))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        try self.flush(path)
    }

    /// Waits until the disk has a file or a folder.
    private static func flush(_ path: String) throws {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        defer { close(descriptor) }
        guard descriptor >= 0, fsync(descriptor) == 0 else {
            throw BackupProblem("cannot write '\(path)': \(String(cString: strerror(errno)))")
        }
    }
}

/// Tells what a long command does, on standard error.
func note(_ text: String) { FileHandle.standardError.write(Data("\(text)\n".utf8)) }
