import Foundation
import MusterTestSupport
import MusterWire
import Postgres
import Testing

/// The data that `muster replay --from-database` reads beside the fixes, and the start of its output.
@Suite("The replay of history", .blocking)
struct ReplayHistoryTests {
    /// A database in which 1 and 2 are at the café from midnight on without a break, and 3 is two kilometres away.
    ///
    /// After ten minutes 2 leaves for five, so the gathering ends and begins again. ten minutes 2 is away for five, so
    /// that the gathering ends and begins anew.
    private static func database() async throws -> String {
        let migrations = MusterProcess.checkout.appending(path: "sql/migrations").path
        let database = try await ThrowawayCluster.shared().makeDatabase(migratedFrom: migrations)
        let session = PostgresSession(connectionString: database)
        try session.connectWithRetries()
        defer { session.close() }
        try session.executeScript(
            """
            INSERT INTO muster.account (id, username, password_hash, name, created_at)
                SELECT id, 'user' || id, '-', 'User ' || id, now() FROM generate_series(1, 3) AS id;
            INSERT INTO muster.grp (id, name, radius, dwell, max_absent, cooldown, created_at)
                VALUES (81, 'Climbers', 100, 120, 1, 1800, now());
            INSERT INTO muster.membership (group_id, user_id, role, visible_since, joined_at)
                SELECT 81, id, CASE id WHEN 1 THEN 'owner' ELSE 'member' END::muster.member_role, 'epoch', 'epoch'
                FROM generate_series(1, 3) AS id;
            CREATE TABLE muster.fix_then PARTITION OF muster.fix FOR VALUES FROM ('2024-11-20') TO ('2024-11-21');
            INSERT INTO muster.fix (device_id, seq, user_id, at, received_at, lat, lon, accuracy, verdict)
                SELECT id, n, id, moment, moment,
                    48.2082 + CASE WHEN id = 3 THEN 0.02 WHEN id = 2 AND n BETWEEN 30 AND 45 THEN 0.01 ELSE 0 END,
                    16.37, 8, 'ok'
                FROM generate_series(1, 3) AS id, generate_series(1, 90) AS n,
                    LATERAL (SELECT timestamptz '2024-11-20T00:00:00Z' + (n * 20 + id) * interval '1 s') AS t (moment)
            """
        )
        return database
    }

    /// The same evening as lines of a trace.
    private static var trace: [String] {
        [#"{"group":{"id":"81","name":"Climbers","members":["1","2","3"],"settings":{"dwell":120}}}"#]
            + (1...90).flatMap { number in
                (1...3).map { user in
                    let second = number * 20 + user
                    let more = #","seq":\#(number)"#
                    let latitude =
                        switch user {
                        case 3: 48.2282
                        case 2 where (30...45).contains(number): 48.2182
                        default: 48.2082
                        }
                    return TraceFolder.fix("\(user)", second, latitude: latitude, more)
                }
            }
    }

    private func run(
        _ database: String,
        group: Int = 81,
        since: String,
        _ more: [String] = []
    ) throws -> (status: Int32, output: String, log: String) {
        try MusterProcess.run(
            ["replay", "--from-database", "--group", "\(group)", "--since", since, "--database-url", database] + more
        )
    }

    private func replay(_ database: String, since: String) throws -> [Substring] {
        let run = try self.run(database, since: since, ["--explain", "3"])
        #expect(run.status == 0, "\(run.log)")
        return run.output.split(separator: "\n")
    }

    @Test("history from the database gives what its fixes give from a file")
    func history() async throws {
        let database = try await Self.database()
        let expected = try TraceFolder().replay(Self.trace)
        #expect(expected.contains("left_without_you"))
        #expect(try self.run(database, since: "2024-11-20").output == expected)
        let none = try self.run(database, group: 82, since: "2024-11-20")
        #expect(none.status == 1)
        #expect(none.log.contains("no group 82"))
    }

    @Test("what is printed begins with --since, and is what a replay of all before it gives")
    func since() async throws {
        let database = try await Self.database()
        let all = try self.replay(database, since: "2024-11-20")
        let later = try self.replay(database, since: "2024-11-20T00:12:00Z")
        #expect(later.contains { $0.contains("suppressed by cooldown") }, "it was told 600 s before: \(later)")
        let moment = Int64(TraceFolder.start) + 720_000
        func time(_ line: Substring) throws -> Int64 {
            try TraceFolder.objects(String(line)).first?["at"].int ?? 0
        }
        let open = try all.last { try time($0) < moment && $0.contains(#""type":"gathering""#) }
        #expect(try later == [open].compactMap { $0 } + all.filter { try time($0) >= moment })
        #expect(later.first?.contains(#""together""#) == true, "the gathering that is on comes first: \(later)")
        #expect(try self.replay(database, since: "2024-11-22").isEmpty)
    }

    @Test("gatherings are called by the spots that were there by then")
    func names() async throws {
        let database = try await Self.database()
        let session = PostgresSession(connectionString: database)
        try session.connectWithRetries()
        defer { session.close() }
        try session.executeScript(
            """
            INSERT INTO muster.spot (id, author_id, lat, lon, comment, created_at) VALUES
                (501, 1, 48.2083, 16.37, E'Blue Bottle\\nThe corner table.', '2024-11-20T00:08:00Z'),
                (502, 1, 48.2082, 16.37, 'Not yet', '2024-11-21T00:00:00Z')
            """
        )
        let lines = try self.replay(database, since: "2024-11-20")
        let places = try lines.filter { $0.contains(#""state":"together""#) }.compactMap { line in
            try TraceFolder.objects(String(line)).first.map { ($0["gathering"].string, $0["place"]["name"].string) }
        }
        #expect(places.first?.1 == nil)
        #expect(places.last?.1 == "Blue Bottle")
        #expect(places.first?.0 != places.last?.0, "what has begun keeps its name, or none: \(lines)")
    }

    @Test("what the devices are is read with their fixes: the phone leads before the browser")
    func kinds() async throws {
        let database = try await Self.database()
        let session = PostgresSession(connectionString: database)
        try session.connectWithRetries()
        defer { session.close() }
        try session.executeScript(
            """
            INSERT INTO muster.device (id, user_id, key, kind, created_at, last_seen)
                VALUES (3, 3, 'web', 'browser', now(), now()), (4, 3, 'phone', 'phone', now(), now());
            INSERT INTO muster.fix (device_id, seq, user_id, at, received_at, lat, lon, accuracy, verdict)
                SELECT 4, seq, 3, at + interval '5 s', received_at + interval '5 s', 48.2082, 16.37, 8, 'ok'
                FROM muster.fix WHERE device_id = 3
            """
        )
        let lines = try self.replay(database, since: "2024-11-20")
        let first = try lines.first { $0.contains(#""state""#) }.flatMap { try TraceFolder.objects(String($0)).first }
        #expect(first?["together"].elements.compactMap(\.string) == ["1", "2", "3"], "\(lines)")
        #expect(!lines.contains { $0.contains("left_without_you") })
    }
}
