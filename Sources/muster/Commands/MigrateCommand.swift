import EventLoop
import Foundation
import MusterCommands
import MusterServer
import Postgres

/// `muster migrate`: updates the schema without serving.
enum MigrateCommand: Command {
    static let name = "migrate"
    static let summary = "Update the database schema, or show its state."
    static let usage = "[--status | --after-restore] [options]"
    static let discussion = """
        `muster serve` does the same when it starts. Migrations only go forward. Each runs in its own transaction, and
        concurrent runs wait for each other.

        Run --after-restore on a database that was restored from a backup, before the first server starts on it.
        Clients may have newer data than the backup. Therefore numbers of notifications and versions of events continue
        far above those in the backup, and rooms get a new epoch, so that clients do not mistake new data for old. All
        sharing is paused, because changes since the backup are unknown, and each user is notified. --keep-sharing
        leaves sharing as it is in the backup. The command is refused while a server runs. It may be repeated.
        """
    static let options: [Option] =
        [
            Option("status", help: "list the migrations and when each was applied; changes nothing"),
            Option("after-restore", help: "adjust a database that was restored from a backup, and report the changes"),
            Option("keep-sharing", help: "with --after-restore: do not pause sharing"),
            Option("end-logins", help: "with --after-restore: end all logins, so that all users must log in again"),
        ] + Option.database + [.migrations]

    static func run(_ values: OptionValues) async throws -> Int32 {
        guard values.operands.isEmpty else { throw UsageError("unexpected argument '\(values.operands[0])'") }
        let sql = try values.sqlFolder()
        var choice: RestoreStep.Choice?
        if values.flag("after-restore") {
            guard !values.flag("status") else { throw UsageError("--status must not be combined with --after-restore") }
            choice = RestoreStep.Choice()
            choice?.keepsSharing = values.flag("keep-sharing")
            choice?.endsLogins = values.flag("end-logins")
        } else if let option = ["keep-sharing", "end-logins"].first(where: { values.flag($0) }) {
            throw UsageError("--\(option) requires --after-restore")
        }
        let (database, restored, showsStatus) = (values.database, choice, values.flag("status"))
        let lines = try await BlockingWork.run(named: "migrate") { () throws in
            let host = DatabaseHost(database, logger: Logger(level: .warning))
            try host.start()
            defer { try? host.stop() }
            if showsStatus { return try host.migrationStatus(from: sql).map { $0.line } }
            if let restored {
                let now = Int64(Date().timeIntervalSince1970 * 1000)
                let done = try host.repairAfterRestore(from: sql, restored, atUnixMilliseconds: now)
                return done.applied.map { "applied \($0.line)" } + done.repaired
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
