import MusterCore
import Postgres

/// One thing that is put right after a backup was restored.
///
/// Clients, servers elsewhere and people know more than the backup does: what they count by must go on above what it was, what
/// they could have taken back since must be taken back, and what was under way is over.
package struct RestoreStep: Sendable {
    /// What the operator chose, and the time.
    package struct Choice: Sendable {
        /// Whether sharing stays as it was when the backup was taken.
        package var keepsSharing = false
        /// Whether everybody has to sign in again.
        package var endsLogins = false

        /// Creates the usual choice.
        package init() {}
    }

    /// What it says when it has changed so many rows.
    let report: @Sendable (Int64) -> String
    /// What it runs; nil when the choice leaves it out.
    let statement: @Sendable (Choice, Timestamp) -> PostgresStatement?

    init(
        report: @escaping @Sendable (Int64) -> String,
        statement: @escaping @Sendable (Choice, Timestamp) -> PostgresStatement?
    ) {
        self.report = report
        self.statement = statement
    }

    /// One statement, whatever was chosen; its row says in `changed` how many were changed.
    init(_ sql: String, report: @escaping @Sendable (Int64) -> String) {
        self.init(report: report, statement: { _, _ in PostgresStatement(sql) })
    }
}

extension RestoreStep {
    /// How far numbers of notifications go on above those of the backup.
    private static let notifications = 1_000_000
    /// How far versions of events do.
    private static let versions = 1_000

    /// All steps, in the order in which they run in one transaction: a feature adds its line.
    static let all: [RestoreStep] = [
        // What clients count by.
        RestoreStep(
            """
            WITH changed AS (UPDATE muster.account SET last_notification = last_notification + \(Self.notifications)
                RETURNING id)
            SELECT count(*) AS changed FROM changed
            """,
            report: { "notifications: those of \($0) people go on \(Self.notifications) numbers higher" }
        ),
        RestoreStep(
            """
            WITH changed AS (UPDATE muster.event SET version = version + \(Self.versions) RETURNING id)
            SELECT count(*) AS changed FROM changed
            """,
            report: { "events: the versions of \($0) are raised by \(Self.versions)" }
        ),
        RestoreStep(
            """
            WITH changed AS (UPDATE muster.room SET epoch = muster.new_epoch() RETURNING id)
            SELECT count(*) AS changed FROM changed
            """,
            report: { "rooms: \($0) are numbered anew" }
        ),
        // What people may have taken back since.
        RestoreStep(
            """
            WITH changed AS (
                UPDATE muster.share SET revoked_at = date_trunc('milliseconds', now()), png = NULL
                WHERE revoked_at IS NULL RETURNING expires_at
            )
            SELECT count(*) AS changed FROM changed WHERE expires_at > now()
            """,
            report: { "pictures: \($0) are taken back" }
        ),
        RestoreStep(
            report: { "sharing: paused for \($0) people, who are told" },
            statement: { choice, now in choice.keepsSharing ? nil : Self.pauseAll(at: now) }
        ),
        RestoreStep(
            report: { "logins: \($0) ended" },
            statement: { choice, _ in
                guard choice.endsLogins else { return nil }
                return """
                    WITH changed AS (DELETE FROM muster.session_token RETURNING id)
                    SELECT count(*) AS changed FROM changed
                    """
            }
        ),
    ]

    /// Pauses everybody everywhere, by a word that stands above all that was said before.
    private static func pauseAll(at now: Timestamp) -> PostgresStatement {
        var identifiers = IdentifierGenerator(node: 0)
        let word: SharingWordID = identifiers.next(at: now)
        return PostgresStatement(
            """
            WITH changed AS (
                UPDATE muster.membership SET sharing = 'paused', sharing_until = NULL,
                    sharing_word = greatest(sharing_word, $1)
                RETURNING group_id, user_id
            ), groups AS (
                UPDATE muster.grp SET revision = revision + 1 WHERE id IN (SELECT group_id FROM changed)
            )
            SELECT count(DISTINCT user_id) AS changed FROM changed
            """,
            [.id(word)]
        )
    }
}
