/// A numbered SQL file.
struct MigrationFile {
    let number: Int
    let name: String
    let fileName: String
    let content: [UInt8]

    /// The content as text.
    var sql: String { String(decoding: self.content, as: UTF8.self) }

    /// Reads all files of a folder in the order of their numbers.
    ///
    /// Rejects gaps and invalid names.
    static func read(_ directory: String) throws(PostgresError) -> [MigrationFile] {
        guard let names = listFolder(directory) else {
            throw PostgresError(.migration, message: "cannot read the migrations in \(directory): \(systemMessage())")
        }
        var files: [MigrationFile] = []
        for fileName in names where fileName.hasSuffix(".sql") {
            let digits = fileName.prefix { ("0"..."9").contains($0) }
            guard digits.count == 4, let number = Int(digits), fileName.dropFirst(4).hasPrefix("-") else {
                throw PostgresError(
                    .migration,
                    message: "the file name \(fileName) must have the form 0001-what-it-does.sql"
                )
            }
            guard number == files.count + 1 else {
                let message = "the migrations in \(directory) have a gap between \(files.count) and \(number)"
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

    /// Returns the SHA-256 of the content in hexadecimal, computed by the server.
    func checksum(_ session: PostgresSession) throws(PostgresError) -> String {
        let row = try session.execute("SELECT encode(sha256($1), 'hex') AS checksum", [.bytea(self.content)])
        return try row[0].text("checksum")
    }
}
