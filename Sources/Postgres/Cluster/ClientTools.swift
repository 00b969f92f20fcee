import CLibPQ
import Glibc

/// PostgreSQL's own programs for working on a database, such as `pg_dump`.
package struct ClientTools: Sendable {
    private let programs: String
    private let environment: [String]

    /// Finds the programs for a database: of its server's version, or of the next newer one.
    ///
    /// - Parameters:
    ///   - connectionString: a libpq connection string. The programs get it by their environment, where no list of
    ///     processes shows a password.
    ///   - version: the server's version, such as 150004.
    /// - Throws: `cluster` when there are none; `connectFailed` when the connection string is malformed.
    package init(for connectionString: String, version: Int) throws(PostgresError) {
        let wanted = version / 10_000
        let installed = (listFolder("/usr/lib/postgresql") ?? []).compactMap(Int.init).sorted()
        let folders = installed.filter { $0 >= wanted }.map { "/usr/lib/postgresql/\($0)/bin" }
        guard
            let folder = (folders + searchPath().map(\.folder)).first(where: { access("\($0)/pg_dump", X_OK) == 0 })
        else {
            throw PostgresError(
                .cluster,
                message: "pg_dump of PostgreSQL \(wanted) is not installed (Debian: apt install postgresql-client)"
            )
        }
        self.programs = folder
        self.environment = try Self.environment(connectionString)
    }

    /// Runs a program on the database.
    ///
    /// Blocks. The program ends with the calling thread.
    ///
    /// - Parameters:
    ///   - program: its name, such as `pg_dump`.
    ///   - arguments: its arguments, without those for the connection.
    /// - Throws: `cluster`, with the program's last lines.
    package func run(_ program: String, _ arguments: [String]) throws(PostgresError) {
        let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var output = Array("\(folder)/muster-\(program)-XXXXXX".utf8CString)
        let descriptor = mkstemp(&output)
        guard descriptor >= 0 else {
            throw PostgresError(.cluster, message: "cannot write into \(folder): \(systemMessage())")
        }
        close(descriptor)
        let log = String(decoding: output.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        defer { unlink(log) }
        let child = ChildProcess(
            arguments: ["\(self.programs)/\(program)"] + arguments,
            user: nil,
            folder: "/",
            outputFile: log,
            environment: self.environment
        )
        let ending = try child.run(boundToThread: true)
        guard ending.status == 0 else {
            let said = ending.output.split(separator: "\n").suffix(8).joined(separator: "; ")
            throw PostgresError(.cluster, message: "\(program) failed with status \(ending.status): \(said)")
        }
    }

    /// Returns a connection string for another database of the same server.
    ///
    /// - Throws: `connectFailed` when the connection string is malformed.
    package static func connectionString(
        _ connectionString: String,
        database: String
    ) throws(PostgresError) -> String {
        let settings = try self.settings(connectionString).filter { $0.keyword != "dbname" && $0.value != nil }
        let texts = settings.map { setting in
            let value = (setting.value ?? "").flatMap { "\\'".contains($0) ? "\\\($0)" : "\($0)" }
            return "\(setting.keyword)='\(String(value))'"
        }
        return (texts + ["dbname='\(database)'"]).joined(separator: " ")
    }

    /// The variables that libpq reads in place of a connection string.
    private static func environment(_ connectionString: String) throws(PostgresError) -> [String] {
        func inherited(_ name: String) -> [String] {
            getenv(name).map { ["\(name)=\(String(cString: $0))"] } ?? []
        }
        return try inherited("HOME")
            + self.settings(connectionString).flatMap { setting -> [String] in
                guard let variable = setting.variable else { return [] }
                return setting.value.map { ["\(variable)=\($0)"] } ?? inherited(variable)
            }
    }

    private typealias Setting = (keyword: String, variable: String?, value: String?)

    /// Everything that a connection string can set, with its value if it does.
    private static func settings(_ connectionString: String) throws(PostgresError) -> [Setting] {
        // A text that is neither a URL nor a list of settings is a database name.
        let isName = !connectionString.contains("=") && !connectionString.contains("://")
        guard let options = PQconninfoParse(isName ? "dbname=\(connectionString)" : connectionString, nil) else {
            throw PostgresError(.connectFailed, message: "the connection string is malformed")
        }
        defer { PQconninfoFree(options) }
        var settings: [Setting] = []
        var option = options
        while let keyword = option.pointee.keyword {
            let (variable, value) = (option.pointee.envvar, option.pointee.val)
            settings.append(
                (String(cString: keyword), variable.map { String(cString: $0) }, value.map { String(cString: $0) })
            )
            option += 1
        }
        return settings
    }
}
