import Foundation
import MusterTestSupport
import Postgres
import Testing

@testable import MusterCore
@testable import MusterServer

@Suite("Migrating events") struct EventRoomMigrationTests {
    /// An event of Ada's with one guest who comes, one who waits, and one who declines.
    private static let legacy = """
        INSERT INTO muster.account (id, username, password_hash, name, created_at)
        VALUES (7, 'ada', '*', 'Ada', now()), (8, 'bob', '*', 'Bo', now()), (9, 'cyd', '*', 'Cy', now()),
            (10, 'dia', '*', 'Di', now());
        INSERT INTO muster.event (id, host_id, title, lat, lon, starts_at, ends_at, tz, created_at, changed_at)
        VALUES (901, 7, 'Climbing', 48, 16, now() + interval '1 day', now() + interval '2 days', 'UTC', now(), now());
        INSERT INTO muster.event_guest (event_id, user_id, rsvp, asked_at)
        VALUES (901, 8, 'yes', now()), (901, 9, 'waiting', now() + interval '1 s'), (901, 10, 'no', now());
        """

    @Test("events that are there get rooms with their hosts and guests")
    func rooms() async throws {
        let cluster = try await ThrowawayCluster.shared()
        let connectionString = try await cluster.makeDatabase()
        let older = FileManager.default.temporaryDirectory.appending(path: "muster-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: older, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: older) }
        let all = try FileManager.default.contentsOfDirectory(atPath: Store.migrations)
        let first = try #require(all.first { $0.hasSuffix("-event-rooms.sql") })
        for name in all where name < first {
            try FileManager.default.copyItem(
                atPath: "\(Store.migrations)/\(name)",
                toPath: older.appending(path: name).path
            )
        }
        let members = try await onWorkerThread { () throws -> [Int64] in
            let session = PostgresSession(connectionString: connectionString)
            defer { session.close() }
            try session.connect()
            try Migrator(directory: older.path).migrate(session)
            try session.executeScript(Self.legacy)
            try Migrator(directory: Store.migrations).migrate(session)
            let rows = try session.execute(
                """
                SELECT b.user_id FROM muster.room_member b JOIN muster.room r ON r.id = b.room_id
                WHERE r.kind = 'event' AND r.event_id = 901 AND b.from_seq = 1 ORDER BY b.user_id
                """
            )
            return try rows.map { try $0.int64("user_id") }
        }
        #expect(members == [7, 8, 9])
    }
}
