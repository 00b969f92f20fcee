import Cryptography
import Foundation
import MusterServer

/// The description of a backup's folder, `backup.json`.
struct BackupManifest: Codable, Equatable {
    /// A file of the backup.
    struct File: Codable, Equatable {
        let bytes: Int
        /// The SHA-256 of its content, in hexadecimal digits.
        let sha256: String
    }

    static let fileName = "backup.json"
    /// The database, in the custom format of `pg_dump`.
    static let database = "database.dump"
    static let secretKey = "secret.key"
    /// The file of `--config`, if there was one.
    static let configuration = "muster.conf"

    /// The form of this description.
    var form = 1
    /// The version of the program.
    var program = MusterVersion.current
    /// The time of the backup, in ISO 8601.
    let at: String
    /// The number of the last migration.
    let schema: Int64
    /// The rows of each table, `schema.table`.
    let rows: [String: Int64]
    var files: [String: File] = [:]

    /// `57 tables with 1204 rows, as of 2026-11-27T07:00:00Z,`, for the operator.
    var summary: String {
        var count: Int64 = 0
        for rows in self.rows.values { count += rows }
        return "\(self.rows.count) tables with \(count) rows, as of \(self.at),"
    }

    /// Reads the description of a folder, and compares each file with it.
    ///
    /// - Throws: `BackupProblem`.
    static func read(_ folder: String) throws -> Self {
        let path = "\(folder)/\(self.fileName)"
        guard let content = FileManager.default.contents(atPath: path) else {
            throw BackupProblem("'\(folder)' is no backup: there is no readable \(self.fileName) in it")
        }
        guard let manifest = try? JSONDecoder().decode(Self.self, from: content), manifest.form == 1,
            manifest.files[self.database] != nil, manifest.files[self.secretKey] != nil
        else { throw BackupProblem("'\(path)' is damaged, or of a newer version of Muster") }
        for (name, file) in manifest.files.sorted(by: { $0.key < $1.key }) {
            guard [self.database, self.secretKey, self.configuration].contains(name) else {
                throw BackupProblem("'\(path)' names a file '\(name)', which no backup has")
            }
            guard let found = try File(at: "\(folder)/\(name)") else {
                throw BackupProblem("'\(folder)/\(name)' is missing, or cannot be read")
            }
            guard found == file else {
                throw BackupProblem("'\(folder)/\(name)' is damaged: its checksum is another; use another backup")
            }
        }
        return manifest
    }
}

extension BackupManifest.File {
    /// Measures a file; nil when it cannot be read.
    init?(at path: String) throws {
        guard let digest = SHA256.digest(ofFile: path),
            let bytes = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
        else { return nil }
        let digits = digest.map { (byte: UInt8) -> String in (byte < 16 ? "0" : "") + String(byte, radix: 16) }
        self.init(bytes: bytes, sha256: digits.joined())
    }
}

/// The reason why a backup is not made or not restored, with the remedy.
struct BackupProblem: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
