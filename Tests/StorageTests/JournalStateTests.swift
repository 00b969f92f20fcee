import Postgres
import Testing

@testable import MusterCore
@testable import MusterServer

@Suite struct JournalStateTests {
    @Test("positions that a crash left behind are brought up to the newest fix that was shown, and no others")
    func recovery() async throws {
        try await Store.with { store in
            let ada = try await store.arrival("Ada")
            let bo = try await store.arrival("Bo")
            let cy = try await store.arrival("Cy")
            let (user, device) = (ada.arrival.user.id, ada.arrival.device)
            let journal = TestJournal(store)
            var standing = StoredPosition.sample(device, 1, at: store.now)
            standing.isStationary = true
            let newest = StoredPosition.sample(bo.arrival.device, 5, at: store.now + 900)
            journal.submit([
                .position(user, standing, .ok),
                .fix(.sample(device, user, 2, at: store.now + 300)),
                .fix(.sample(device, user, 3, at: store.now + 600, verdict: .inaccurate)),
                .fix(.sample(device, user, 4, at: store.now + 700, verdict: .secondary)),
                .fix(.sample(device, user, 5, at: store.now + 800, verdict: .implausible)),
                .position(bo.arrival.user.id, newest, .ok),
                .fix(.sample(bo.arrival.device, bo.arrival.user.id, 4, at: store.now + 300)),
                .fix(.sample(cy.arrival.device, cy.arrival.user.id, 1, at: store.now)),
            ])
            try await journal.finish()
            #expect(try await store.directory.recoverPositions() == 2)
            func position(_ name: String, of admission: Admission) async throws -> PostgresRow {
                let rows = try await store.pool.query(
                    "SELECT seq, stationary, verdict::text AS verdict FROM muster.position WHERE user_id = $1",
                    [.int64(admission.arrival.user.id.rawValue)]
                )
                return try #require(rows.first, "\(name) has no position")
            }
            let recovered = try await position("Ada", of: ada)
            #expect(try recovered.int64("seq") == 3)
            #expect(try recovered.bool("stationary"))
            #expect(try recovered.text("verdict") == "inaccurate")
            #expect(try await position("Bo", of: bo).int64("seq") == 5)
            #expect(try await position("Cy", of: cy).int64("seq") == 1)
            #expect(try await store.directory.recoverPositions() == 0)
        }
    }

    @Test("what is told to be committed is on the disk, also where the server is set up to be quicker than that")
    func durability() async throws {
        try await Store.with { store in
            let ada = try await store.arrival("Ada").arrival
            for statement in [
                "DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET synchronous_commit = off', current_database()); END $$",
                "CREATE TABLE public.durability (setting text NOT NULL)",
                """
                CREATE FUNCTION public.note_durability() RETURNS trigger LANGUAGE plpgsql AS $$
                BEGIN
                    INSERT INTO public.durability VALUES (current_setting('synchronous_commit'));
                    RETURN NULL;
                END $$
                """,
                """
                CREATE TRIGGER durability AFTER UPDATE ON muster.journal_state
                FOR EACH ROW WHEN (new.batch > 0) EXECUTE FUNCTION public.note_durability()
                """,
            ] { _ = try await store.pool.query(statement) }
            let journal = TestJournal(store)
            journal.submit([.fix(.sample(ada.device, ada.user.id, 1, at: store.now))])
            try await journal.finish()
            let rows = try await store.pool.query("SELECT setting FROM public.durability")
            #expect(try rows.map { row throws(PostgresError) in try row.text("setting") } == ["on"])
        }
    }

    @Test("a teleport that was confirmed has its stored verdict rewritten, in its own transaction or a later one")
    func verdict() async throws {
        try await Store.with { store in
            let arrival = try await store.arrival().arrival
            let (device, user) = (arrival.device, arrival.user.id)
            let journal = TestJournal(store)
            journal.submit([
                .fix(.sample(device, user, 1, at: store.now - 30_000)),
                .fix(.sample(device, user, 2, at: store.now - 20_000, verdict: .implausible)),
                .verdict(device, sequence: 2, at: store.now - 20_000, .ok),
                .fix(.sample(device, user, 3, at: store.now - 10_000, verdict: .implausible)),
                .fix(.sample(device, user, 4, at: store.now, verdict: .implausible)),
            ])
            try await journal.flush()
            #expect(try await store.verdicts(of: device) == ["ok", "ok", "implausible", "implausible"])
            journal.submit([.verdict(device, sequence: 4, at: store.now, .outOfOrder)])
            try await journal.finish()
            #expect(try await store.verdicts(of: device) == ["ok", "ok", "implausible", "out_of_order"])
            #expect(journal.failed.isEmpty)
        }
    }

    @Test("a gathering is open until it ends, and remembers who took part")
    func gathering() async throws {
        try await Store.with { store in
            let (group, people) = try await store.group(3)
            let users = people.map(\.user.id)
            let id = GatheringID(6001)
            let journal = TestJournal(store)
            journal.submit([
                .gathering(
                    .sample(
                        id,
                        group: group.id,
                        .together,
                        at: store.now,
                        together: [users[0], users[1]],
                        absent: [users[2]],
                        participants: [users[0], users[1]],
                        machine: try .sample()
                    )
                )
            ])
            try await journal.flush()
            #expect(try await store.directory.openGatherings() == [group.id])
            #expect(try await store.count("muster.gathering_member WHERE standing = 'absent' AND NOT took_part") == 1)
            journal.submit([
                .gathering(
                    .sample(
                        id,
                        group: group.id,
                        .ended,
                        at: store.now + 1000,
                        together: [],
                        participants: [users[0], users[1]],
                        machine: nil
                    )
                )
            ])
            try await journal.finish()
            #expect(try await store.directory.openGatherings() == [])
            #expect(try await store.count("muster.gathering_member WHERE standing = 'elsewhere'") == 3)
            #expect(try await store.count("muster.gathering_member WHERE took_part") == 2)
            #expect(try await store.count("muster.gathering_state") == 0)
        }
    }

    @Test("a state from before migration 0012 is none, and is replaced")
    func olderState() async throws {
        try await Store.with { store in
            let (group, _) = try await store.group(3)
            _ = try await store.pool.query(
                "INSERT INTO muster.gathering_state (group_id, landed, updated_at) VALUES ($1, $2, now())",
                [.id(group.id), .bytea([3, 1, 2])]
            )
            #expect(try await store.directory.loadGroup(group.id).gathering == nil)
            let journal = TestJournal(store)
            journal.submit([.machine(group.id, try .sample())])
            try await journal.finish()
            #expect(try await store.directory.loadGroup(group.id).gathering == .sample())
        }
    }
}

extension Store {
    /// The stored verdicts of a device's fixes, by number.
    fileprivate func verdicts(of device: DeviceID) async throws -> [String] {
        let result = try await self.pool.query(
            "SELECT verdict::text AS verdict FROM muster.fix WHERE device_id = ANY($1) ORDER BY seq",
            [.ids([device])]
        )
        var verdicts: [String] = []
        for row in 0..<result.count { verdicts.append(try result[row].text("verdict")) }
        return verdicts
    }
}
