import MusterCore
import MusterTestSupport
import MusterWire
import Postgres
import Testing

@testable import MusterStore

@Suite struct JournalTests {
    @Test("20,000 fixes land once each, and the device's number rises with them")
    func bulk() async throws {
        try await Store.with { store in
            let arrival = try await store.arrival().arrival
            let journal = TestJournal(store)
            for start in stride(from: Int64(1), through: 20_000, by: 500) {
                journal.submit(
                    (start..<start + 500).map { .fix(.sample(arrival.device, arrival.user.id, $0, at: store.now)) }
                )
            }
            try await journal.finish()
            try await store.expectFixes(1...20_000, of: arrival)
            #expect(journal.committed.last == 20_000)
            #expect(journal.committed == journal.committed.sorted())
            let metrics = journal.journal.metrics
            #expect(metrics.committed == 20_000)
            #expect(metrics.waiting == 0)
            #expect(metrics.failed == 0)
        }
    }

    @Test("what the journal wrote is what hello and a group's load find")
    func roundTrip() async throws {
        try await Store.with { store in
            let (group, people) = try await store.group(2)
            let user = people[0].user.id
            let device = Hello.Device(key: "phone", name: "Ada's phone", kind: .phone)
            let first = try await store.directory.hello(token: people[0].token, device: device)
            #expect(first.arrival.acknowledgedSequence == 0)
            #expect(first.arrival.presence == .offline)
            #expect(first.arrival.groups == [group.id])
            let position = StoredPosition.sample(first.arrival.device, 3, at: store.now)
            let alerts = (1...3).map { LeftWithoutYou.sample($0, user: user, group: group.id, at: store.now) }
            let journal = TestJournal(store)
            journal.submit([
                .fix(.sample(first.arrival.device, user, 3, at: store.now)),
                .position(user, position, .ok),
                .presence(user, .away, lastSeen: store.now),
                .machine(group.id, StoredGathering(state: [1, 2, 3])),
                .notification(alerts[0]), .notification(alerts[1]), .notification(alerts[2]),
                .seen(user, upTo: 1, at: store.now),
            ])
            try await journal.flush()
            let again = try await store.directory.hello(token: people[0].token, device: device).arrival
            #expect(again.device == first.arrival.device)
            #expect(again.acknowledgedSequence == 3)
            #expect(again.position == position)
            #expect(again.lastSeen == store.now)
            #expect(again.presence == .away)
            #expect(again.lastNotification == 3)
            #expect(again.unseen == Array(alerts.dropFirst()))
            let loaded = try await store.directory.loadGroup(group.id)
            #expect(loaded.gathering == StoredGathering(state: [1, 2, 3]))
            #expect(loaded.members[0].position == position)
            #expect(loaded.members[0].unseen == again.unseen)
            #expect(loaded.members[0].lastNotification == 3)
            #expect(loaded.members[1].position == nil)
            journal.submit([.machine(group.id, nil)])
            try await journal.finish()
            #expect(try await store.directory.loadGroup(group.id).gathering == nil)
        }
    }

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
                        machine: [1]
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

    @Test("a record that cannot be written stands alone, and everything around it lands")
    func badRecords() async throws {
        try await Store.with { store in
            let arrival = try await store.arrival().arrival
            let group = try await store.directory.createGroup(name: "One", by: arrival.user.id)
            var bad = LeftWithoutYou.sample(1, user: arrival.user.id, group: group.id, at: store.now)
            bad.place.name = "nul\u{0}"
            let journal = TestJournal(store)
            var records: [JournalRecord] = (1...1000).map {
                .fix(.sample(arrival.device, arrival.user.id, $0, at: store.now))
            }
            // A fix for which there is no partition, one off the globe, and a text that PostgreSQL does not take.
            records[299] = .fix(.sample(arrival.device, arrival.user.id, 300, at: Timestamp(milliseconds: 0)))
            var offGlobe = FixRecord.sample(arrival.device, arrival.user.id, 301, at: store.now)
            offGlobe.fix.coordinate.latitude = 91
            records[300] = .fix(offGlobe)
            records[600] = .notification(bad)
            journal.submit(records)
            try await journal.finish()
            #expect(journal.failed == [300, 301, 601])
            #expect(journal.committed.last == 1000)
            #expect(try await store.count("muster.fix") == 997)
            #expect(journal.log.count { $0.contains("cannot be written") } == 3)
            #expect(journal.journal.metrics.failed == 3)
        }
    }

    @Test("a device's progress stays below a fix that could not be written, until that fix is")
    func progressStopsBelowRefused() async throws {
        try await Store.with { store in
            let arrival = try await store.arrival().arrival
            func fix(_ sequence: Int64, at: Timestamp? = nil) -> JournalRecord {
                .fix(.sample(arrival.device, arrival.user.id, sequence, at: at ?? store.now))
            }
            func progress() async throws -> Int64 {
                let result = try await store.pool.query("SELECT acked_seq FROM muster.device")
                return try #require(result.first).int64("acked_seq")
            }
            let journal = TestJournal(store)
            journal.submit([fix(1), fix(2, at: Timestamp(milliseconds: 0)), fix(3)])
            journal.submit([fix(4)])
            try await waitUntil { journal.committed.last == 4 }
            #expect(try await progress() == 1)
            journal.submit([fix(2), fix(5)])
            try await journal.finish()
            #expect(try await progress() == 5)
        }
    }

    @Test("what the world made in one go is committed in one go, however long it is")
    func wholeTurns() {
        var queue = JournalQueue()
        for (number, endsTurn) in [false, true, false, false, true, true].enumerated() {
            var entry = JournalEntry(number: Int64(number), record: .sessionClosed(SessionID(1)))
            entry.endsTurn = endsTurn
            queue.append([entry])
        }
        #expect(queue.wholeTurns(limit: 100) == 6)
        #expect(queue.wholeTurns(limit: 5) == 5)
        #expect(queue.wholeTurns(limit: 4) == 2)
        #expect(queue.wholeTurns(limit: 1) == 2)
    }

    @Test("rows that are there already do no harm")
    func repeats() async throws {
        try await Store.with { store in
            let arrival = try await store.arrival().arrival
            let user = arrival.user.id
            let group = try await store.directory.createGroup(name: "One", by: user)
            let journal = TestJournal(store)
            let session = SessionRecord(
                session: SessionID(1),
                user: user,
                device: arrival.device,
                isWatch: false,
                openedAt: store.now
            )
            for _ in 0..<2 {
                journal.submit([
                    .notification(.sample(1, user: user, group: group.id, at: store.now)),
                    .sessionOpened(session), .presence(user, .online, lastSeen: nil),
                    .fix(.sample(arrival.device, user, 1, at: store.now, verdict: .duplicate)),
                ])
                try await journal.flush()
            }
            #expect(try await store.count("muster.notification") == 1)
            #expect(try await store.count("muster.live_session") == 1)
            #expect(try await store.count("muster.fix") == 0)
            journal.submit([.sessionClosed(SessionID(1))])
            try await journal.finish()
            #expect(journal.failed.isEmpty)
            #expect(try await store.count("muster.live_session") == 0)
        }
    }

    @Test("a second writer waits for the first one's end, and then clears its sessions")
    func secondWriter() async throws {
        try await Store.with { store in
            let arrival = try await store.arrival().arrival
            let session = SessionRecord(
                session: SessionID(1),
                user: arrival.user.id,
                device: arrival.device,
                isWatch: true,
                openedAt: store.now
            )
            let first = TestJournal(store)
            first.submit([.sessionOpened(session)])
            try await first.flush()
            let second = TestJournal(store)
            second.submit([.fix(.sample(arrival.device, arrival.user.id, 1, at: store.now))])
            try await waitUntil { second.log.contains { $0.contains("another server writes") } }
            #expect(second.journal.state == .connecting)
            #expect(second.committed.isEmpty)
            try await first.close()
            try await second.finish()
            #expect(second.committed == [1])
            #expect(second.journal.state == .closed)
            #expect(try await store.count("muster.fix") == 1)
            #expect(try await store.count("muster.live_session") == 0)
        }
    }

    @Test("a writer that comes back after another one wrote does not store the same fixes again")
    func superseded() async throws {
        let cluster = try await ThrowawayCluster.dedicated()
        try await Store.with(cluster: cluster) { store in
            let arrival = try await store.arrival().arrival
            func fixes(_ range: ClosedRange<Int64>) -> [JournalRecord] {
                range.map { .fix(.sample(arrival.device, arrival.user.id, $0, at: store.now)) }
            }
            let first = TestJournal(store)
            first.submit(fixes(1...10))
            try await first.flush()
            let second = TestJournal(store)
            second.submit(fixes(11...20))
            try await waitUntil { second.log.contains { $0.contains("another server writes") } }
            // Only the second one asks for the lock every 250 ms; the first one must connect anew before.
            try await store.endBackends(until: { second.journal.state == .ready })
            first.submit(fixes(11...30))
            try await second.finish()
            try await first.finish()
            try await store.expectFixes(1...30, of: arrival)
        }
    }

    @Test("a server that is killed in the middle of a COPY and comes back has everything once, in order")
    func serverKilled() async throws {
        let cluster = try await ThrowawayCluster.dedicated()
        try await Store.with(cluster: cluster) { store in
            let arrival = try await store.arrival().arrival
            let journal = TestJournal(store)
            var next: Int64 = 1
            for _ in 0..<3 {
                // While a batch is on its way: some are committed, more wait.
                journal.submit(
                    (next..<next + 40_000).map { .fix(.sample(arrival.device, arrival.user.id, $0, at: store.now)) }
                )
                next += 40_000
                let target = journal.committed.count + 1
                try await waitUntil { journal.committed.count >= target }
                try await cluster.stopImmediately()
                try await waitUntil { journal.journal.state == .connecting }
                try await cluster.start()
            }
            try await journal.finish()
            #expect(journal.committed == journal.committed.sorted())
            #expect(journal.committed.last == next - 1)
            #expect(journal.journal.metrics.reconnects >= 3)
            try await store.expectFixes(1...next - 1, of: arrival)
        }
    }

    @Test("backends that end at any moment of a commit lose nothing and double nothing")
    func commitsInDoubt() async throws {
        let cluster = try await ThrowawayCluster.dedicated()
        try await Store.with(cluster: cluster) { store in
            let arrival = try await store.arrival().arrival
            let journal = TestJournal(store, batchLimit: 50)
            var next: Int64 = 1
            var ended = 0
            while ended < 20 {
                // Enough that a commit is always under way, and no more while the journal connects.
                if journal.journal.metrics.waiting < 2000 {
                    journal.submit(
                        (next..<next + 400).map { .fix(.sample(arrival.device, arrival.user.id, $0, at: store.now)) }
                    )
                    next += 400
                }
                let count = try await store.endJournalBackend()
                ended += count
                if count == 0 { try await waitUntil { journal.journal.state == .ready } }
            }
            try await journal.finish()
            #expect(journal.failed.isEmpty)
            #expect(journal.committed.last == next - 1)
            try await store.expectFixes(1...next - 1, of: arrival)
        }
    }
}

extension Store {
    /// Checks that the fixes of a device are there once each, and that its number says so.
    func expectFixes(_ range: ClosedRange<Int64>, of arrival: Arrival) async throws {
        let row = try await self.pool.query(
            """
            SELECT count(*) AS n, count(DISTINCT seq) AS numbers, min(seq) AS first, max(seq) AS last,
                (SELECT acked_seq FROM muster.device WHERE id = $1) AS acked
            FROM muster.fix WHERE device_id = $1
            """,
            [.int64(arrival.device.rawValue)]
        )[0]
        #expect(try row.int64("n") == Int64(range.count))
        #expect(try row.int64("numbers") == Int64(range.count))
        #expect(try row.int64("first") == range.lowerBound)
        #expect(try row.int64("last") == range.upperBound)
        #expect(try row.int64("acked") == range.upperBound)
    }

    /// Ends the backend that holds the writer's lock.
    ///
    /// - Returns: how many were ended: one, or none while the journal connects.
    func endJournalBackend() async throws -> Int {
        try await self.pool.query(
            """
            SELECT pg_terminate_backend(pid) AS ended FROM pg_locks
            WHERE locktype = 'advisory' AND classid = 1836413812 AND objid = 1 AND granted
                AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
            """
        ).rowCount
    }

    /// Ends whoever holds the writer's lock until `condition` holds.
    func endBackends(until condition: () -> Bool) async throws {
        while !condition() {
            _ = try await self.endJournalBackend()
            for _ in 0..<40 where !condition() { try await Task.sleep(for: .milliseconds(10)) }
        }
    }
}

/// Looks again and again until `condition` holds; fails after half a minute.
func waitUntil(_ condition: () async throws -> Bool) async throws {
    let clock = ContinuousClock()
    let end = clock.now + .seconds(30)
    while try await !condition() {
        try #require(clock.now < end, "it did not happen in half a minute")
        try await Task.sleep(for: .milliseconds(2))
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
