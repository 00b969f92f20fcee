import MusterCore
import Postgres

/// One step of the repair after a backup was restored.
///
/// Clients, external servers and users know newer data than the backup contains. Therefore counters continue above
/// their last possible values, everything that users may have revoked since is revoked, and activities in progress are
/// ended.
package struct RestoreStep: Sendable {
    /// The operator's options.
    package struct Choice: Sendable {
        /// Whether sharing stays as in the backup.
        package var keepsSharing = false
        /// Whether all logins are ended.
        package var endsLogins = false

        /// Creates the default options.
        package init() {}
    }

    /// The report for the given number of changed rows.
    let report: @Sendable (Int64) -> String
    /// The statement; nil when the options exclude the step.
    let statement: @Sendable (Choice, Timestamp) -> PostgresStatement?

    init(
        report: @escaping @Sendable (Int64) -> String,
        statement: @escaping @Sendable (Choice, Timestamp) -> PostgresStatement?
    ) {
        self.report = report
        self.statement = statement
    }

    /// Creates a step with one statement for all options; its result has the number of changed rows in `changed`.
    init(_ sql: String, report: @escaping @Sendable (Int64) -> String) {
        self.init(report: report, statement: { _, _ in PostgresStatement(sql) })
    }
}

extension RestoreStep {
    /// The increment of notification numbers.
    private static let notifications = 1_000_000
    /// The increment of event versions.
    private static let versions = 1_000

    /// All steps, in the order of execution in one transaction; a feature adds its step here.
    static let all: [RestoreStep] = [
        // Counters that clients rely on.
        RestoreStep(
            """
            WITH changed AS (UPDATE muster.account SET last_notification = last_notification + \(Self.notifications)
                RETURNING id)
            SELECT count(*) AS changed FROM changed
            """,
            report: { "notifications: the numbers of \($0) users continue \(Self.notifications) higher" }
        ),
        RestoreStep(
            """
            WITH changed AS (UPDATE muster.event SET version = version + \(Self.versions) RETURNING id)
            SELECT count(*) AS changed FROM changed
            """,
            report: { "events: the versions of \($0) events are raised by \(Self.versions)" }
        ),
        RestoreStep(
            """
            WITH changed AS (UPDATE muster.room SET epoch = muster.new_epoch() RETURNING id)
            SELECT count(*) AS changed FROM changed
            """,
            report: { "rooms: \($0) rooms have a new epoch" }
        ),
        // What waited when the backup was made is old by now.
        RestoreStep(
            """
            WITH outbox AS (DELETE FROM muster.push_outbox RETURNING id),
                deliveries AS (DELETE FROM muster.push_delivery RETURNING id)
            SELECT (SELECT count(*) FROM outbox) + (SELECT count(*) FROM deliveries) AS changed
            """,
            report: { "pushes: \($0) that waited are not sent" }
        ),
        // Permissions that users may have revoked since the backup.
        RestoreStep(
            """
            WITH changed AS (
                UPDATE muster.share SET revoked_at = date_trunc('milliseconds', now()), png = NULL
                WHERE revoked_at IS NULL RETURNING expires_at
            )
            SELECT count(*) AS changed FROM changed WHERE expires_at > now()
            """,
            report: { "share pictures: \($0) are withdrawn" }
        ),
        RestoreStep(
            """
            WITH changed AS (DELETE FROM muster.place_consent RETURNING group_id),
                groups AS (UPDATE muster.grp SET revision = revision + 1 WHERE id IN (SELECT group_id FROM changed))
            SELECT count(*) AS changed FROM changed
            """,
            report: { "group places: \($0) choices are deleted, so nobody is notified of an arrival" }
        ),
        RestoreStep(
            report: { "sharing: paused for \($0) users, who are notified" },
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
        RestoreStep(
            report: { "phones' own apps: \($0) removed" },
            statement: { choice, _ in
                guard choice.endsLogins else { return nil }
                return """
                    WITH changed AS (DELETE FROM muster.device_token RETURNING device_id)
                    SELECT count(*) AS changed FROM changed
                    """
            }
        ),
    ]

    /// Pauses the sharing of all users, with a change that supersedes all earlier ones.
    private static func pauseAll(at now: Timestamp) -> PostgresStatement {
        var identifiers = IdentifierGenerator(node: 0)
        let change: SharingChangeID = identifiers.next(at: now)
        return PostgresStatement(
            """
            WITH changed AS (
                UPDATE muster.membership SET sharing = 'paused', sharing_until = NULL,
                    sharing_then = 'live', sharing_word = greatest(sharing_word, $1)
                RETURNING group_id, user_id
            ), groups AS (
                UPDATE muster.grp SET revision = revision + 1 WHERE id IN (SELECT group_id FROM changed)
            )
            SELECT count(DISTINCT user_id) AS changed FROM changed
            """,
            [.id(change)]
        )
    }
}
