import EventLoop
import Foundation
import MusterTestSupport
import MusterWire
import Postgres
import Testing

@Suite("PostgreSQL goes away", .blocking)
struct OutageTests {
    @Test("while it is away friends see each other, acks wait, nobody new is let in; then all is stored once")
    func awayLater() async throws {
        let cluster = try await ThrowawayCluster.dedicated()
        try await ServerFixture.open(["--fix-rate", "1000"], on: cluster) { fixture in
            let (people, group) = try fixture.friends("Ada", "Bo")
            let (ada, bo) = (people[0], people[1])
            try ada.sendFix(48.2, 16.37)
            try ada.waitForAck()
            try await cluster.stopImmediately()

            for step in 1...50 {
                let latitude = Double(482_000 + step) / 10_000
                try ada.sendFix(latitude, 16.37)
                if step % 10 == 0 {
                    try bo.waitUntil("Ada's step \(step)") { bo.roster(group)[ada.account.id].latitude == latitude }
                }
            }
            #expect(try eventually { try fixture.unreadiness() != nil })
            try ada.catchUp()
            #expect(ada.acknowledged == 1, "a fix was acknowledged that nobody stored")
            #expect(try fixture.http("GET", "/healthz").status == 200)

            let newcomer = try fixture.connect(bo.account)
            try newcomer.sendHello(device: "tablet")
            let refusal = try newcomer.expect("error")
            #expect(refusal["code"].string == "unavailable")
            #expect(refusal["retry"].bool == true)
            #expect(try newcomer.expectClose() == 4503)
            let signUp = try fixture.http(
                "POST",
                "/v1/accounts",
                body: ["username": "somebody", "password": "long enough", "name": "S"]
            )
            #expect(signUp.status == 503)
            let asked = try ada.refusal(of: "group.create", ["name": "Not now"])
            #expect(asked["code"].string == "unavailable")

            try await cluster.start()
            try ada.waitForAck(within: 30_000)
            let row = try fixture.query("SELECT count(*) AS rows, count(DISTINCT seq) AS numbers FROM muster.fix")
                .onlyRow()
            #expect(try row?.int64("rows") == 51)
            #expect(try row?.int64("numbers") == 51)
            #expect(try eventually { try fixture.unreadiness() == nil })
            _ = try fixture.enter(bo.account, device: "tablet")
        }
    }

    @Test("an alert that is decided while it is away is told when it is back, once, and then stored")
    func alertWaits() async throws {
        let cluster = try await ThrowawayCluster.dedicated()
        try await ServerFixture.open(on: cluster) { fixture in
            let (people, _) = try fixture.friends("Ada", "Bo", "Cy", "Di")
            let di = people[3]
            try di.sendFix(48.22, 16.37)
            try di.waitForAck()
            try await cluster.stopImmediately()
            try report(Array(people[0...2]), waiting: { try $0.catchUp() }, from: { _ in (48.2, 16.37) })
            // The group receives it live.
            try di.expect("gathering") { $0["state"].string == "together" }
            try di.catchUp()
            #expect(di.unreadFrames("left_without_you").isEmpty, "an alert was sent before it was stored")

            try await cluster.start()
            let alert = try di.expect("left_without_you", within: 30_000)
            #expect(alert["late"].bool == false)
            #expect(try fixture.count(of: "muster.notification") == 1)
            #expect(try fixture.count(of: "muster.gathering") == 1)
            for person in people { try person.waitForAck() }
            try di.catchUp()
            #expect(di.unreadFrames("left_without_you").isEmpty)
        }
    }

    @Test("while it is away sharing narrows at once and widens not at all; asked for again it is stored")
    func narrowing() async throws {
        let cluster = try await ThrowawayCluster.dedicated()
        try await ServerFixture.open(on: cluster) { fixture in
            let (people, group) = try fixture.friends("Ada", "Bo")
            let (ada, bo) = (people[0], people[1])
            try ada.sendFix(48.2, 16.37)
            try bo.waitUntil("Ada") { bo.roster(group)[ada.account.id].latitude == 48.2 }
            try ada.waitForAck()
            try await cluster.stopImmediately()

            let refusal = try ada.refusal(of: "sharing.set", ["mode": "paused"])
            #expect(refusal["code"].string == "unavailable")
            #expect(refusal["retry"].bool == true)
            #expect(refusal["message"].string?.contains("not stored yet") == true)
            // Before the answer, so that the user is hidden by the time the client reads it.
            try ada.sendFix(48.2001, 16.37)
            try bo.waitUntil("Ada hidden") { bo.roster(group)[ada.account.id].sharing == "paused" }
            #expect(bo.roster(group)[ada.account.id].latitude == nil)
            let wider = try ada.refusal(of: "sharing.set", ["mode": "live"])
            #expect(wider["message"].string?.contains("not stored yet") == false)
            for person in [ada, bo] { try person.catchUp() }
            #expect(bo.roster(group)[ada.account.id].sharing == "paused")

            try await cluster.start()
            #expect(try eventually(within: 30_000) { try fixture.unreadiness() == nil })
            try ada.request("sharing.set", ["mode": "paused"])
            let user: [PostgresValue] = [.id(ada.account.id)]
            #expect(try fixture.count(of: "muster.membership WHERE user_id = $1 AND sharing = 'paused'", user) == 1)
            try ada.request("sharing.set", ["mode": "live"])
            try bo.waitUntil("Ada live") { bo.roster(group)[ada.account.id].sharing == "live" }
            try bo.catchUp()
            #expect(bo.roster(group)[ada.account.id].latitude == nil)
            try ada.sendFix(48.2002, 16.37)
            try bo.waitUntil("Ada's newer fix") { bo.roster(group)[ada.account.id].latitude == 48.2002 }
            #expect(!bo.received.contains { $0.text.contains("48.2001") })
        }
    }

    @Test("a pause that storage could not take is stored once it is back, and no change of the group ends it before")
    func pauseIsKept() async throws {
        let cluster = try await ThrowawayCluster.dedicated()
        try await ServerFixture.open(on: cluster) { fixture in
            let (people, group) = try fixture.friends("Ada", "Bo", "Cy")
            let (ada, bo) = (people[0], people[1])
            try ada.sendFix(48.2, 16.37)
            try bo.waitUntil("Ada") { bo.roster(group)[ada.account.id].latitude == 48.2 }
            try ada.waitForAck()
            try await cluster.stopImmediately()
            #expect(try ada.refusal(of: "sharing.set", ["mode": "paused"])["code"].string == "unavailable")
            try bo.waitUntil("Ada hidden") { bo.roster(group)[ada.account.id].sharing == "paused" }

            try await cluster.start()
            #expect(try eventually { try fixture.unreadiness() == nil })
            try ada.request("group.update", ["group": .string(group), "name": "Another name"])
            try people[2].request("group.leave", ["group": .string(group)])
            try ada.sendFix(48.2001, 16.37)
            try ada.waitForAck()
            try bo.catchUp()
            #expect(bo.roster(group)[ada.account.id].latitude == nil)
            // The server stores it without another request.
            let user: [PostgresValue] = [.id(ada.account.id)]
            #expect(
                try eventually {
                    try fixture.count(of: "muster.membership WHERE user_id = $1 AND sharing = 'paused'", user) == 1
                }
            )
            try ada.sendFix(48.2002, 16.37)
            try ada.waitForAck()
            try bo.catchUp()
            #expect(!bo.received.contains { $0.text.contains("48.2001") || $0.text.contains("48.2002") })
            // The pause ends with Ada's next request.
            try ada.request("sharing.set", ["mode": "live"])
            try ada.sendFix(48.2003, 16.37)
            try bo.waitUntil("Ada's newer fix") { bo.roster(group)[ada.account.id].latitude == 48.2003 }
        }
    }

    @Test("a pause that storage never takes keeps no other one back")
    func pauseThatFails() async throws {
        try await ServerFixture.open { fixture in
            let (people, _) = try fixture.friends("Ada", "Bo")
            func refuse(_ refused: ArraySlice<TestClient>) throws {
                _ = try fixture.query(
                    """
                    CREATE OR REPLACE FUNCTION public.refuse() RETURNS trigger LANGUAGE plpgsql AS $$
                    BEGIN
                        IF NEW.user_id IN (\(refused.map(\.account.id).joined(separator: ", "))) THEN
                            RAISE EXCEPTION 'refused';
                        END IF;
                        RETURN NEW;
                    END $$
                    """
                )
            }
            try refuse(people[...])
            _ = try fixture.query(
                """
                CREATE TRIGGER refuse BEFORE UPDATE ON muster.membership FOR EACH ROW EXECUTE FUNCTION public.refuse()
                """
            )
            for person in people {
                #expect(try person.refusal(of: "sharing.set", ["mode": "paused"])["code"].string == "unavailable")
            }
            // Ada's change, which was first, is always refused.
            try refuse(people[..<1])
            let bo: [PostgresValue] = [.id(people[1].account.id)]
            #expect(
                try eventually {
                    try fixture.count(of: "muster.membership WHERE user_id = $1 AND sharing = 'paused'", bo) == 1
                }
            )
        }
    }

    @Test("a login or an account that ended while no change was heard of ends its connections afterwards")
    func endedMeanwhile() async throws {
        try await ServerFixture.open { fixture in
            let (people, group) = try fixture.friends("Ada", "Bo", "Cy")
            try fixture.silenceFeed()
            try fixture.query("DELETE FROM muster.session_token WHERE user_id = $1", [.id(people[1].account.id)])
            try fixture.query("DELETE FROM muster.account WHERE id = $1", [.id(people[2].account.id)])
            try fixture.admitFeed()
            #expect(try people[1].expectClose(within: 30_000) == 4401)
            #expect(try people[2].expectClose(within: 30_000) == 4401)
            try people[0].waitUntil("Cy gone") { people[0].roster(group).members.count == 2 }
            try people[0].request("group.list")
        }
    }

    @Test("away at the start: the server listens, says why it is not ready, and serves once it can")
    func awayAtStart() async throws {
        let cluster = try await ThrowawayCluster.dedicated()
        let migrations = MusterProcess.checkout.appending(path: "sql/migrations").path
        let database = try await cluster.makeDatabase(migratedFrom: migrations)
        try await cluster.stop()
        try await ServerFixture.open(database: database) { fixture in
            #expect(try fixture.http("GET", "/healthz").status == 200)
            let reply = try fixture.http("GET", "/readyz")
            #expect(reply.status == 503)
            #expect(reply.code == "unavailable")
            #expect(reply.json?["detail"].string?.contains("PostgreSQL") == true)
            #expect(try fixture.http("GET", "/").status == 200)
            let complaint = fixture.server.logLines.first { $0.contains("PostgreSQL cannot be reached") }
            #expect(complaint?.contains(#""level":"warning""#) == true)

            try await cluster.start()
            #expect(try eventually(within: 20_000) { try fixture.unreadiness() == nil })
            let (people, group) = try fixture.friends("Ada", "Bo")
            try people[0].sendFix(48.2, 16.37)
            try people[1].waitUntil("Ada") { people[1].roster(group)[people[0].account.id].latitude == 48.2 }
            try people[0].waitForAck()
        }
    }

    @Test("SIGTERM while it is away does not wait for it, and tells how many records were left")
    func stopWhileAway() async throws {
        let cluster = try await ThrowawayCluster.dedicated()
        try await ServerFixture.open(on: cluster) { fixture in
            let ada = try fixture.enter(fixture.signUp("Ada"))
            try ada.sendFix(48.2, 16.37)
            try ada.waitForAck()
            try await cluster.stop()
            for _ in 0..<3 { try ada.sendFix(48.2, 16.37) }
            try ada.catchUp()
            #expect(try eventually { try fixture.unreadiness() != nil })
            let before = MonotonicClock.system.milliseconds
            fixture.server.beginTerminating()
            #expect(try ada.expectClose() == 1012)
            #expect(fixture.server.waitForEnd(within: 20_000) == 0)
            #expect(MonotonicClock.system.milliseconds - before < 7000)
            let complaint = fixture.server.logLines.first { $0.contains("could not be flushed") }
            #expect(complaint?.firstMatch(of: /"journal.waiting":[1-9]/) != nil, "\(complaint ?? "nothing")")
        }
    }

    @Test("while it stands still the server says so, and a hello ends with 4503 before its deadline")
    func standstill() async throws {
        let cluster = try await ThrowawayCluster.dedicated()
        try await ServerFixture.open(on: cluster) { fixture in
            let ada = try fixture.signUp("Ada")
            _ = try fixture.enter(ada)
            let pids = try self.processes(of: fixture)
            #expect(pids.count >= 3)
            for pid in pids { kill(pid, SIGSTOP) }
            defer { for pid in pids { kill(pid, SIGCONT) } }
            let newcomer = try fixture.connect(ada)
            let before = MonotonicClock.system.milliseconds
            try newcomer.sendHello(device: "tablet")
            let refusal = try newcomer.expect("error")
            #expect(refusal["code"].string == "unavailable")
            #expect(try newcomer.expectClose() == 4503)
            #expect(MonotonicClock.system.milliseconds - before < 8000)
            #expect(try eventually { try fixture.unreadiness() != nil }, "ready although PostgreSQL does not answer")
            for pid in pids { kill(pid, SIGCONT) }
            #expect(try eventually(within: 30_000) { try fixture.unreadiness() == nil })
            _ = try fixture.enter(ada, device: "tablet")
        }
    }

    @Test("a crowd that comes while it stands still is let in afterwards, and whoever leaves meanwhile holds nobody up")
    func crowd() async throws {
        let cluster = try await ThrowawayCluster.dedicated()
        try await ServerFixture.open(on: cluster) { fixture in
            let ada = try fixture.signUp("Ada")
            let pids = try self.processes(of: fixture)
            for pid in pids { kill(pid, SIGSTOP) }
            defer { for pid in pids { kill(pid, SIGCONT) } }
            // More than the number of concurrent queries.
            var crowd = try (0..<150).map { _ in try fixture.connect(ada) }
            for (number, client) in crowd.enumerated() { try client.sendHello(device: "device \(number)") }
            crowd = crowd.indices.filter { $0.isMultiple(of: 2) }.map { crowd[$0] }
            for pid in pids { kill(pid, SIGCONT) }
            for client in crowd { _ = try client.expect("welcome") }
            _ = try fixture.enter(ada)
        }
    }

    /// All processes of a town's PostgreSQL.
    private func processes(of fixture: ServerFixture) throws -> [Int32] {
        try fixture.query(
            """
            SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
            UNION SELECT (regexp_match(pg_read_file('postmaster.pid'), '^[0-9]+'))[1]::int
            """
        ).map { try $0.int32("pid") }
    }
}
