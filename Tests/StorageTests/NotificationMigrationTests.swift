import Foundation
import MusterTestSupport
import MusterWire
import Testing

@testable import MusterCore
@testable import MusterServer
@testable import Postgres

@Suite("Migrating notifications") struct NotificationMigrationTests {
    /// Rows of the previous version: two notifications of Cy, one of them seen, and one of Ada.
    private static let legacy = """
        INSERT INTO muster.account (id, username, password_hash, name, last_notification, created_at)
        VALUES (7, 'ada', '*', 'Ada', 1, now()), (9, 'cyd', '*', 'Cy', 3, now());
        INSERT INTO muster.grp (id, name, radius, dwell, max_absent, cooldown, created_at)
        VALUES (81, 'Sunday climbers', 100, 180, 1, 1800, now());
        INSERT INTO muster.membership (group_id, user_id, role, visible_since, joined_at)
        VALUES (81, 7, 'owner', '2024-01-01', '2024-01-01'), (81, 9, 'member', '2024-01-01', '2024-01-01');
        INSERT INTO muster.notification (user_id, number, kind, group_id, gathering_id, variant, at, payload, seen_at)
        SELECT x.user_id, x.number, 'left_without_you', 81, x.gathering, x.variant::muster.notification_variant,
            to_timestamp(1732060800.123), jsonb_build_object('notification', x.number, 'user', x.user_id::text,
                'group', '81', 'groupName', 'Sunday climbers', 'gathering', x.gathering::text, 'variant', x.variant,
                'at', 1732060800123, 'since', 1732060620000, 'place', '{"lat":40.7128,"lon":-74.006}'::jsonb,
                'together', '[{"id":"7","name":"Ada"}]'::jsonb, 'distance', 2140.0432,
                'you', '{"lat":40.73,"lon":-74,"at":1732060780000}'::jsonb), x.seen_at
        FROM (VALUES (9, 2, 6001, 'gathered', now()), (9, 3, 6002, 'departed', NULL), (7, 1, 6003, 'gathered', NULL))
            AS x(user_id, number, gathering, variant, seen_at);
        """

    @Test("what was unseen before is unseen after, with its number, and the same alert is not stored again")
    func unseenSurvives() async throws {
        let cluster = try await ThrowawayCluster.shared()
        let connectionString = try await cluster.makeDatabase()
        let older = FileManager.default.temporaryDirectory.appending(path: "muster-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: older, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: older) }
        for name in try FileManager.default.contentsOfDirectory(atPath: Store.migrations) where name < "0011" {
            try FileManager.default.copyItem(
                atPath: "\(Store.migrations)/\(name)",
                toPath: older.appending(path: name).path
            )
        }
        try await onWorkerThread {
            let session = PostgresSession(connectionString: connectionString)
            try session.connect()
            try Migrator(directory: older.path).migrate(session)
            try session.executeScript(Self.legacy)
            let applied = try Migrator(directory: Store.migrations).migrate(session)
            #expect(applied.first?.number == 11)
            session.close()
        }

        let pool = PostgresPool(PostgresPool.Configuration(connectionString: connectionString))
        let directory = Directory(pool: pool, configuration: Directory.Configuration())
        let cy = try await directory.inbox(of: UserID(9))
        #expect(cy.lastNumber == 3 && cy.unseen.map(\.number) == [3], "what was seen stays so")
        let alert = try #require(cy.unseen.first)
        #expect(alert.content.subject == "6002:departed:1732060800123")
        #expect(alert.content.groupName == "Sunday climbers")
        #expect(try await directory.inbox(of: UserID(7)).unseen.map(\.number) == [1])
        // The frame of the previous version, apart from the order of fields.
        let frame = try JSONDocument(ServerFrame.notification(alert, isLate: false).encoded)
        #expect(
            frame.root.fields.map(\.key) == [
                "type", "notification", "group", "groupName", "gathering", "variant", "at", "since", "late", "place",
                "together", "distance", "you",
            ]
        )
        #expect(frame["distance"].double == 2140 && frame["at"].int == 1_732_060_800_123)
        #expect(frame["gathering"].string == "6002" && frame["variant"].string == "departed")
        let again = try await pool.query(
            """
            SELECT given FROM muster.notify('{9}', '{left_without_you}', '{81}', '{NULL}',
                '{6002:departed:1732060800123}', ARRAY[now()], ARRAY['{}'::jsonb])
            """
        )
        #expect(try again.map { try $0.int64("given") } == [3])
        let pending = try await pool.query("SELECT name, variant FROM ops.notifications_pending ORDER BY name")
        #expect(try pending.map { try $0.text("variant") } == ["gathered", "departed"])
        await pool.close()
    }
}
