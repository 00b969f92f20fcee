import MusterCore
import Postgres

/// Repairs the data after a restored backup.
struct AfterRestore: Sendable {
    /// The reason for refusing to run.
    struct Refusal: Error, CustomStringConvertible {
        let description: String
    }

    /// The timeout of all steps together.
    private static let timeout = Duration.seconds(3_600)

    private let choice: RestoreStep.Choice

    /// Creates a repair.
    init(_ choice: RestoreStep.Choice) { self.choice = choice }

    /// Ensures that no server uses the database, and that none starts to write before the session is closed.
    ///
    /// - Throws: `Refusal` when a server is running; database errors.
    func keepServersOut(_ session: PostgresSession) throws {
        let lock = try session.pipeline([WriterRow.lock])[0].onlyRow()
        guard try lock?.bool("taken") == true else { throw Self.refusal }
        // A standby server that waits for the writer's lock has also cached data.
        let listening = try session.execute(
            """
            SELECT count(*) AS servers FROM pg_stat_activity
            WHERE datname = current_database() AND application_name = $1
            """,
            [.text(ChangeFeed.applicationName)]
        )
        guard try listening.onlyRow()?.int64("servers") == 0 else { throw Self.refusal }
    }

    /// Runs all steps in one transaction, on a database with a current schema.
    ///
    /// - Parameters:
    ///   - session: a connected session.
    ///   - now: the time.
    /// - Returns: a line for each step.
    /// - Throws: database errors; nothing is changed then.
    func run(_ session: PostgresSession, atUnixMilliseconds now: Int64) throws(PostgresError) -> [String] {
        let now = Timestamp(milliseconds: now)
        let steps = RestoreStep.all.compactMap { step in
            step.statement(self.choice, now).map { (step: step, statement: $0) }
        }
        let results = try session.pipeline(steps.map(\.statement), timeout: Self.timeout)
        var lines: [String] = []
        for (step, result) in zip(steps, results) {
            lines.append(step.step.report(try result.onlyRow()?.int64("changed") ?? 0))
        }
        return lines
    }

    private static let refusal = Refusal(
        description: "a server is running on this database; stop all its servers first (nothing was changed)"
    )
}
