import EventLoop
import Foundation
import MusterTestSupport
import Testing

@testable import MusterCore
@testable import MusterServer
@testable import MusterWire
@testable import Postgres

@Suite struct OpsViewTests {
    @Test("every view answers with what happened")
    func views() async throws {
        try await Store.with(clock: .system) { store in
            let (group, people) = try await store.group(3)
            let users = people.map(\.user.id)
            let now = Timestamp(milliseconds: MonotonicClock.system.wallMilliseconds)
            let hourAgo = now - 3_600_000
            let admission = try await store.directory.hello(
                token: people[0].token,
                device: Hello.Device(key: "p", name: "Ada's phone", kind: .phone)
            )
            let device = admission.arrival.device
            let journal = TestJournal(store)
            journal.submit([
                .sessionOpened(
                    SessionRecord(session: SessionID(9), user: users[0], device: device, isWatch: false, openedAt: now)
                ),
                .fix(.sample(device, users[0], 1, at: now)),
                .fix(.sample(device, users[0], 2, at: now, verdict: .late)),
                .fix(.sample(device, users[0], 3, at: hourAgo, verdict: .implausible)),
                .fix(.sample(device, users[0], 4, at: hourAgo + 1, verdict: .implausible)),
                .verdict(device, sequence: 3, at: hourAgo, .ok),
                .position(users[0], .sample(device, at: now), .ok),
                .presence(users[0], .online, lastSeen: now),
                .gathering(
                    .sample(
                        GatheringID(1),
                        group: group.id,
                        .ended,
                        at: now,
                        together: [users[0]],
                        absent: [users[2]],
                        participants: [users[0], users[1]],
                        machine: nil
                    )
                ),
                .gathering(
                    .sample(
                        GatheringID(2),
                        group: group.id,
                        .together,
                        at: now,
                        together: [users[0], users[1]],
                        absent: [users[2]],
                        participants: [users[0], users[1]],
                        machine: try .sample()
                    )
                ),
                .notification(.sample(1, user: users[2], group: group.id, at: now)),
            ])
            try await journal.flush()
            _ = try await store.directory.postPin(
                PinPost("Here", at: Coordinate(latitude: 1, longitude: 2)),
                by: users[1]
            )
            func row(_ sql: String) async throws -> PostgresRow {
                try #require(try await store.pool.query(sql).first)
            }
            #expect(try await row("SELECT freshness FROM ops.live_positions").text("freshness") == "live")
            #expect(try await row("SELECT device FROM ops.live_sessions").text("device") == "Ada's phone")
            #expect(
                try await store.count("ops.member_freshness WHERE freshness = 'unknown' AND presence = 'offline'") == 2
            )
            #expect(try await row("SELECT absent FROM ops.gatherings_now").textArray("absent") == ["Friend 2"])
            let past = try await row("SELECT * FROM ops.gathering_history")
            #expect(try past.int64("took_part") == 2)
            #expect(try past.textArray("participants") == ["Owner", "Friend 1"])
            #expect(try past.textArray("absent") == ["Friend 2"])
            try await self.verdicts(store, now: now)
            #expect(try await row("SELECT name FROM ops.notifications_pending").text("name") == "Friend 2")
            #expect(
                try await row("SELECT name FROM ops.pins WHERE text = 'Here' AND age < '1 hour'").text("name")
                    == "Friend 1"
            )
            #expect(try await row("SELECT writer_connected FROM ops.journal_lag").bool("writer_connected"))
            let draft = EventCreate(
                key: "k",
                title: "Climbing",
                at: Coordinate(latitude: 1, longitude: 2),
                startsAt: now + 3_600_000,
                timeZone: "UTC"
            )
            let event = try await store.directory.createEvent(draft, by: users[0]).event
            _ = try await store.directory.reply(.yes, to: event.id, by: users[1])
            let coming = try await row("SELECT * FROM ops.events_upcoming WHERE starts_in > interval '50 minutes'")
            #expect(try coming.text("title") == "Climbing" && coming.int64("yes") == 1)
            _ = try await store.share(of: group.id, by: users[1], showing: [users[0], users[1]])
            let picture = try await row("SELECT * FROM ops.shares_open WHERE ends_in > interval '50 minutes'")
            #expect(try picture.text("group_name") == "Climbers" && picture.int64("shown") == 2)
            let activity = try await row("SELECT * FROM ops.group_activity")
            #expect(try activity.int64("members") == 3)
            #expect(try activity.int64("live_members") == 1)
            #expect(try activity.int64("gatherings_30d") == 2)
            #expect(try activity.int64("alerts_30d") == 1)
            #expect(try activity.int64("open_invites") == 1)
            _ = try await store.proposedPlan(by: users[1], to: group.id)
            let shared = try await row("SELECT * FROM ops.plans_shared")
            #expect(try shared.text("places") == "Kiasma, Noma")
            #expect(try (shared.int64("going"), shared.int64("maybe"), shared.int64("staying_away")) == (0, 1, 0))
            try await journal.finish()
            // PostgreSQL releases the lock a moment after the connection has ended.
            try await waitUntil {
                try await !row("SELECT writer_connected FROM ops.journal_lag").bool("writer_connected")
            }
        }
    }

    @Test("a time ahead of now makes no age negative and no position fresh, in any view")
    func aheadOfTime() async throws {
        try await Store.with(clock: .system) { store in
            let seed = MusterProcess.checkout.appending(path: "sql/seed/demo.sql")
            let session = PostgresSession(connectionString: store.connectionString)
            try session.connect(timeout: .seconds(30))
            defer { session.close() }
            try session.executeScript(String(contentsOf: seed, encoding: .utf8))
            for change in [
                "muster.position SET at = now() + interval '2 hours'",
                "muster.live_session SET opened_at = now() + interval '2 hours'",
                "muster.gathering SET since = now() + interval '2 hours'",
                "muster.notification SET at = now() + interval '2 hours'",
                "muster.pin SET posted_at = now() + interval '2 hours'",
                "muster.plan_share SET shared_at = now() + interval '2 hours'",
                "muster.report SET at = now() + interval '2 hours'",
                "muster.take_down SET at = now() + interval '2 hours'",
                "muster.journal_state SET committed_at = now() + interval '2 hours'",
            ] {
                _ = try await store.pool.query("UPDATE \(change)")
            }
            let columns = try await store.pool.query(
                """
                SELECT c.relname AS view, a.attname AS name FROM pg_attribute a
                    JOIN pg_class c ON c.oid = a.attrelid
                WHERE c.relnamespace = 'ops'::regnamespace AND c.relkind = 'v' AND a.atttypid = 'interval'::regtype
                    AND a.attname NOT IN ('starts_in', 'ends_in', 'p95_transit', 'added', 'quarter_hours')
                ORDER BY 1, 2
                """
            )
            #expect(columns.count > 10)
            for row in 0..<columns.count {
                let (view, name) = (try columns[row].text("view"), try columns[row].text("name"))
                #expect(try await store.count("ops.\(view) WHERE \(name) < interval '0'") == 0, "\(view).\(name)")
            }
            #expect(try await store.count("ops.live_positions WHERE freshness = 'live'") == 0)
            #expect(try await store.count("ops.group_activity WHERE live_members > 0 OR last_position_at > now()") == 0)
        }
    }

    /// Fixes of two hours with one verdict each, one of them rewritten.
    ///
    /// Fixes arrive 40 ms after they were taken.
    private func verdicts(_ store: Store, now: Timestamp) async throws {
        let rows = try await store.pool.query(
            """
            SELECT extract(epoch FROM hour)::bigint AS hour, verdict::text AS verdict, fixes, people,
                extract(epoch FROM p95_transit)::float8 AS p95
            FROM ops.fix_verdicts_hourly ORDER BY hour, verdict
            """
        )
        let hour = now.milliseconds / 3_600_000 * 3600
        #expect(try rows.map { try $0.int64("hour") - hour } == [-3600, -3600, 0, 0])
        #expect(try rows.map { try $0.text("verdict") } == ["implausible", "ok", "late", "ok"])
        #expect(try rows.map { try $0.int64("fixes") } == [1, 1, 1, 1])
        #expect(try rows.allSatisfy { try $0.int64("people") == 1 && $0.float8("p95") == 0.04 })
    }

    @Test("live positions say what somebody shares at most, and show nothing of those who are paused everywhere")
    func livePositions() async throws {
        try await Store.with { store in
            let (group, people) = try await store.group(2)
            let (user, token) = (people[0].user.id, people[0].token)
            let other = try await store.directory.createGroup(name: "Others", by: user)
            let device = try await store.directory.hello(token: token, device: .init(key: "a", kind: .phone)).arrival
                .device
            let journal = TestJournal(store)
            func move(_ sequence: Int64) async throws {
                store.manual.advance(milliseconds: 1000)
                journal.submit([.position(user, .sample(device, sequence, at: store.now), .ok)])
                try await journal.flush()
            }
            func row() async throws -> PostgresRow {
                try #require(try await store.pool.query("SELECT * FROM ops.live_positions").first)
            }
            try await move(1)
            #expect(try await row().text("sharing") == "live")
            #expect(try await !row().isNull("lat"))
            _ = try await store.directory.say(.approximate, group: other.id, of: user)
            _ = try await store.directory.say(.paused, group: group.id, of: user)
            #expect(try await row().text("sharing") == "approximate")
            #expect(try await !row().isNull("lat"))
            // No more precise than others see.
            for column in ["lat", "lon"] {
                let degrees = try await row().float8(column)
                #expect(abs(degrees * 100 - (degrees * 100).rounded()) < 1e-6)
            }
            #expect(try await store.count("ops.live_positions WHERE accuracy >= 800") == 1)
            #expect(try await store.count("ops.live_positions WHERE ST_X(place::geometry) = lon") == 1)
            for column in ["speed", "battery"] { #expect(try await row().isNull(column)) }
            _ = try await store.directory.say(.paused, of: user)
            #expect(try await row().text("sharing") == "paused")
            #expect(try await row().text("freshness") == "unknown")
            for column in ["lat", "lon", "place", "at", "age", "accuracy", "speed", "battery"] {
                #expect(try await row().isNull(column))
            }
            // Fixes taken during the pause stay hidden after it.
            try await move(2)
            store.manual.advance(milliseconds: 1000)
            _ = try await store.directory.say(.live, of: user)
            #expect(try await row().text("sharing") == "live")
            #expect(try await row().isNull("lat"))
            try await move(3)
            #expect(try await !row().isNull("lat"))
            try await journal.close()
        }
    }

    @Test("the operators' role reads every view and no secret")
    func role() async throws {
        try await Store.with { store in
            func code(_ sql: String) async -> String? {
                do {
                    try await store.pool.transaction { transaction in
                        _ = try await transaction.query("SET LOCAL ROLE muster_ops")
                        _ = try await transaction.query(sql)
                    }
                    return nil
                } catch {
                    return (error as? PostgresError)?.sqlState
                }
            }
            let views = try await store.pool.query("SELECT viewname FROM pg_views WHERE schemaname = 'ops'")
            #expect(views.rowCount == 26)
            for view in views { #expect(await code("SELECT * FROM ops.\(try view.text("viewname"))") == nil) }
            #expect(await code("SELECT * FROM muster.fix") == nil)
            #expect(await code("SELECT * FROM muster.schema_migration") == nil)
            for secret in [
                "password_hash FROM muster.account", "* FROM muster.session_token", "code FROM muster.invite",
                "payload FROM muster.notification", "avatar FROM muster.account", "key FROM muster.photo",
                "key FROM muster.calendar_key", "text FROM muster.event", "picture FROM muster.photo",
                "thumbnail FROM muster.photo", "png FROM muster.share", "code_seed FROM muster.share",
                "code_hash FROM muster.share", "body FROM muster.plan", "plans FROM muster.suggestion",
                "subject FROM muster.identity", "* FROM muster.login_flow", "* FROM muster.logout_seen",
                "* FROM muster.token_revocation",
            ] {
                #expect(await code("SELECT \(secret)") == "42501")
            }
            #expect(await code("DELETE FROM muster.fix") == "42501")
        }
    }

    @Test("every table, column, view and function of ours has a comment")
    func comments() async throws {
        try await Store.with { store in
            let missing = try await store.pool.query(
                """
                SELECT format('%s.%s', c.oid::regclass, a.attname) AS what
                FROM pg_class c LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND c.relkind <> 'v'
                    AND NOT a.attisdropped
                WHERE c.relnamespace::regnamespace::text IN ('muster', 'ops') AND c.relkind IN ('r', 'p', 'v')
                    AND NOT c.relispartition AND c.relname <> 'schema_migration'
                    AND (obj_description(c.oid, 'pg_class') IS NULL
                        OR (a.attnum IS NOT NULL AND col_description(c.oid, a.attnum) IS NULL))
                UNION ALL
                SELECT p.oid::regprocedure::text FROM pg_proc p
                WHERE p.pronamespace::regnamespace::text IN ('muster', 'ops') AND obj_description(p.oid) IS NULL
                """
            )
            let names = try missing.map { try $0.text("what") }
            #expect(names == [])
        }
    }
}
