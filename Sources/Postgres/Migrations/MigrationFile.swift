/// A numbered file with SQL.
struct MigrationFile {
    let number: Int
    let name: String
    let fileName: String
    let content: [UInt8]

    /// The content as text.
    var sql: String { String(decoding: self.content, as: UTF8.self) }

    /// Reads all files of a folder in the order of their numbers; refuses gaps and names that are none.
    static func read(_ directory: String) throws(PostgresError) -> [MigrationFile] {
        guard let names = listFolder(directory) else {
            throw PostgresError(.migration, message: "cannot read the migrations in \(directory): \(systemMessage())")
        }
        var files: [MigrationFile] = []
        for fileName in names where fileName.hasSuffix(".sql") {
            let digits = fileName.prefix { ("0"..."9").contains($0) }
            guard digits.count == 4, let number = Int(digits), fileName.dropFirst(4).hasPrefix("-") else {
                throw PostgresError(.migration, message: "\(fileName) is not named like 0001-what-it-does.sql")
            }
            guard number == files.count + 1 else {
                let message = "the migrations in \(directory) jump from \(files.count) to \(number)"
                throw PostgresError(.migration, message: message)
            }
            guard let content = readFile("\(directory)/\(fileName)"), !content.contains(0) else {
                throw PostgresError(.migration, message: "cannot read \(directory)/\(fileName) as text")
            }
            let name = String(fileName.dropFirst(5).dropLast(4))
            files.append(MigrationFile(number: number, name: name, fileName: fileName, content: content))
        }
        return files
    }

    /// SHA-256 of the content in hexadecimal, worked out by the server.
    func checksum(_ session: PostgresSession) throws(PostgresError) -> String {
        let row = try session.execute("SELECT encode(sha256($1), 'hex') AS checksum", [.bytea(self.content)])
        return try row[0].text("checksum")
    }
}

/// What the database says about a migration that it has.
struct AppliedMigration {
    let number: Int
    let name: String
    let checksum: String
    let appliedAt: Int64

    /// Reads all of them in the order of their numbers; none when there is no table for them yet.
    static func read(_ session: PostgresSession) throws(PostgresError) -> [AppliedMigration] {
        let table = try session.execute("SELECT to_regclass('muster.schema_migration') IS NOT NULL AS exists")
        guard try table[0].bool("exists") else { return [] }
        let rows = try session.execute(
            "SELECT number, name, checksum, applied_at FROM muster.schema_migration ORDER BY number"
        )
        var applied: [AppliedMigration] = []
        for row in rows {
            applied.append(
                AppliedMigration(
                    number: Int(try row.int32("number")),
                    name: try row.text("name"),
                    checksum: try row.text("checksum"),
                    appliedAt: try row.unixMilliseconds("applied_at")
                )
            )
        }
        return applied
    }
}
