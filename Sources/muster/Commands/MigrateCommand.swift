import EventLoop
import Foundation
import MusterServer
import Postgres

/// `muster migrate`: the schema, without serving.
enum MigrateCommand: Command {
    static let name = "migrate"
    static let summary = "Bring the database's schema up to date, or show how far it is."
    static let usage = "[--status] [options]"
    static let discussion = """
        `muster serve` does the same when it starts. Migrations only go forward; each runs in a transaction of its own,
        and two that run at once wait for each other.
        """
    static let options = [
        Option("status", help: "list the migrations and when each was applied, and change nothing"),
        Option(
            "database-url",
            .one("URL"),
            alias: "DATABASE_URL",
            help: "use this PostgreSQL instead of a private one (also: DATABASE_URL)"
        ),
        Option("data-dir", .one("DIR"), default: ".muster", help: "the folder of the private PostgreSQL"),
        Option("sql-dir", .one("DIR"), help: "the folder of the migrations [sql, here or beside the program]"),
    ]

    static func run(_ values: OptionValues) async throws -> Int32 {
        guard values.operands.isEmpty else { throw UsageError("takes no operand: '\(values.operands[0])'") }
        guard let sql = values.text("sql-dir") ?? ResourceFolder.find("sql") else {
            throw UsageError("no folder 'sql' here or beside the program: name it with --sql-dir")
        }
        let database = values.database
        let showsStatus = values.flag("status")
        let lines = try await BlockingWork.run(named: "migrate") { () throws(PostgresError) -> [String] in
            let host = DatabaseHost(database, logger: Logger(level: .warning))
            try host.start()
            defer { try? host.stop() }
            if showsStatus {
                return try host.migrationStatus(from: sql).map { $0.line }
            }
            let applied = try host.migrate(from: sql)
            return applied.isEmpty ? ["up to date"] : applied.map { "applied \($0.line)" }
        }
        for line in lines { print(line) }
        return 0
    }
}

extension Migrator.Status {
    /// `0001 accounts   2026-11-20T10:00:00Z`, or `pending`.
    fileprivate var line: String {
        let number = String(repeating: "0", count: max(0, 4 - String(self.number).count)) + String(self.number)
        let moment = self.appliedAtUnixMilliseconds.map {
            Date(timeIntervalSince1970: Double($0) / 1000).formatted(.iso8601)
        }
        return "\(number) \(self.name.padding(toLength: 28, withPad: " ", startingAt: 0)) \(moment ?? "pending")"
    }
}
