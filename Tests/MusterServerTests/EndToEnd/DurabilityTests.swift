import EventLoop
import MusterTestSupport
import Postgres
import Testing

@testable import MusterWire

@Suite("What is acknowledged is stored", .blocking)
struct DurabilityTests {
    /// The stored fixes of a user.
    private func stored(_ fixture: ServerFixture, of user: String) throws -> (rows: Int64, numbers: Int64) {
        let row = try fixture.query(
            "SELECT count(*) AS rows, count(DISTINCT seq) AS numbers FROM muster.fix WHERE user_id = $1",
            [.id(user)]
        ).onlyRow()
        return (try row?.int64("rows") ?? 0, try row?.int64("numbers") ?? 0)
    }

    private func batch(_ numbers: ClosedRange<Int64>) -> JSON {
        ["fixes": .array(numbers.map { .fix($0, Double(48_200_000 + $0) / 1_000_000, 16.37) })]
    }

    @Test("acknowledged fixes are in the table after kill -9, none twice, and a resend is harmless")
    func crash() async throws {
        try await ServerFixture.open(["--fix-rate", "10000"]) { fixture in
            let (people, group) = try fixture.friends("Ada", "Bo")
            let (ada, bo) = (people[0], people[1])
            for number in 1...600 as ClosedRange<Int64> {
                try ada.sendFix(Double(48_200_000 + number) / 1_000_000, 16.37)
                if number == 300 { try ada.waitForAck(of: 50) }
            }
            fixture.server.kill()
            // Acknowledgements that were in transit still count.
            _ = try? ada.waitForAck(of: 600)
            let acknowledged = ada.acknowledged
            #expect(acknowledged >= 50)
            let kept = try fixture.count(
                of: "muster.fix WHERE user_id = $1 AND seq <= $2",
                [.id(ada.account.id), .int64(acknowledged)]
            )
            #expect(kept == acknowledged, "a fix was acknowledged and lost")

            try fixture.restart()
            let again = try fixture.connect(ada.account)
            let welcome = try again.hello()
            let known = welcome["device"]["ackedSeq"].int ?? 0
            #expect(known >= acknowledged)
            // A member who has not reconnected yet is still shown as before.
            try again.waitUntil("the roster") { again.rosters[group] != nil }
            #expect(again.roster(group)[bo.account.id].presence == "online")
            for start in stride(from: 1, through: 600, by: 200) as StrideThrough<Int64> {
                try again.send("locations", self.batch(start...start + 199))
            }
            try again.waitForAck(of: 600)
            #expect((1...known).allSatisfy { again.rejected[$0] == "duplicate" })
            #expect((known..<600).allSatisfy { again.rejected[$0 + 1] == nil })
            let all = try self.stored(fixture, of: ada.account.id)
            #expect(all.rows == 600)
            #expect(all.numbers == 600)
        }
    }

    @Test("after kill -9 a friend is shown where they were last, not where they were a second before")
    func crashShowsTheNewest() async throws {
        try await ServerFixture.open { fixture in
            let (people, group) = try fixture.friends("Ada", "Bo")
            let (ada, bo) = (people[0], people[1])
            // The first is written as a position; the others of the same second go only to the history.
            for step in 1...5 { try ada.sendFix(Double(482_000 + step) / 10_000, 16.37) }
            try ada.waitForAck()
            try fixture.crash()
            let again = try fixture.enter(bo.account)
            try again.waitUntil("Ada") { again.roster(group)[ada.account.id].latitude != nil }
            #expect(again.roster(group)[ada.account.id].latitude == 48.2005)
        }
    }

    @Test("a teleport that is held at a crash is confirmed by the next fix, and its row says so")
    func crashWhileHeld() async throws {
        try await ServerFixture.open { fixture in
            let (people, group) = try fixture.friends("Ada", "Bo")
            let (ada, bo) = (people[0], people[1])
            try ada.sendFix(48.2, 16.37)
            try ada.waitForAck()
            // From Vienna to Munich within seconds.
            let teleport = try ada.sendFix(48.137, 11.575, ["accuracy": 5, "at": .now(plus: 1500)])
            try ada.waitForAck()
            #expect(ada.rejected[teleport] == "implausible")
            try fixture.crash()
            let again = try fixture.enter(ada.account)
            let friend = try fixture.enter(bo.account)
            try friend.waitUntil("Ada, in Vienna") { friend.roster(group)[ada.account.id].latitude == 48.2 }
            try again.sendFix(48.1371, 11.575, ["accuracy": 5, "at": .now(plus: 3000)])
            try again.waitForAck()
            #expect(again.rejected.isEmpty, "it agrees with the one that was held")
            try friend.waitUntil("Ada, in Munich") { friend.roster(group)[ada.account.id].latitude == 48.1371 }
            let verdicts = try fixture.query(
                "SELECT verdict::text FROM muster.fix WHERE user_id = $1 ORDER BY at, seq",
                [.id(ada.account.id)]
            )
            #expect(try verdicts.map { try $0.text("verdict") } == ["ok", "ok", "ok"])
        }
    }

    @Test("the laptop that was carried away leads after a crash, as before, and not the phone that was left at home")
    func crashOfLeadership() async throws {
        try await ServerFixture.open { fixture in
            let (people, group) = try fixture.friends("Ada", "Bo")
            let (phone, bo) = (people[0], people[1])
            let laptop = try fixture.enter(phone.account, device: "laptop", kind: "browser")
            try phone.sendFix(48.2, 16.37)
            try phone.waitForAck()
            for step in 0...4 { try laptop.sendFix(48.2 + Double(step) * 0.0005, 16.37) }
            try laptop.waitForAck()
            try phone.sendFix(48.2, 16.37)
            try phone.waitForAck()
            #expect(phone.rejected[phone.lastSequence] == "secondary")
            try fixture.crash()
            let left = try fixture.enter(phone.account)
            let carried = try fixture.enter(phone.account, device: "laptop", kind: "browser")
            try carried.sendFix(48.2021, 16.37)
            try carried.waitForAck()
            try left.sendFix(48.2, 16.37)
            try left.waitForAck()
            #expect(carried.rejected.isEmpty)
            #expect(left.rejected[left.lastSequence] == "secondary")
            let friend = try fixture.enter(bo.account)
            try friend.waitUntil("Ada, at her laptop") { friend.roster(group)[phone.account.id].latitude == 48.2021 }
        }
    }

    @Test("SIGTERM: clients are told when to come back, all that came is stored, and the exit status is 0")
    func drain() async throws {
        try await ServerFixture.open(["--fix-rate", "10000"]) { fixture in
            let (people, _) = try fixture.friends("Ada", "Bo")
            let (ada, bo) = (people[0], people[1])
            try ada.send("locations", self.batch(1...200))
            try ada.send("locations", self.batch(201...400))
            try ada.catchUp()
            fixture.server.beginTerminating()
            for person in [ada, bo] {
                let farewell = try person.expect("goaway")
                #expect(farewell["reason"].string == "shutdown")
                #expect((farewell["retryAfter"].int ?? 0) > 0)
                #expect(try person.expectClose() == 1012)
            }
            // From now on the server reports that it is not ready.
            #expect((try? fixture.http("GET", "/readyz").status) != 200, "a draining server says that it is ready")
            #expect(fixture.server.waitForEnd(within: 20_000) == 0)
            let all = try self.stored(fixture, of: ada.account.id)
            #expect(all.rows == 400)
            #expect(all.numbers == 400)
        }
    }

    @Test("fixes over the rate are slowed down, not lost")
    func rate() async throws {
        try await ServerFixture.open(["--fix-rate", "50"]) { fixture in
            let client = try fixture.enter(try fixture.signUp("Ada"))
            let before = MonotonicClock.system.milliseconds
            // A burst of 2,000 is allowed at once; the rest takes 10 s.
            for start in stride(from: 1, to: 2600, by: 200) as StrideTo<Int64> {
                try client.send("locations", self.batch(start...start + 199))
            }
            try client.waitForAck(of: 2600, within: 40_000)
            #expect(MonotonicClock.system.milliseconds - before > 8000, "nobody slowed it down")
            let all = try self.stored(fixture, of: client.account.id)
            #expect(all.rows == 2600)
            #expect(all.numbers == 2600)
            #expect(client.unreadFrames("error").isEmpty)
        }
    }

    @Test("POST /v1/locations answers after the commit, lists what is malformed or known, and is shown to friends")
    func report() async throws {
        try await ServerFixture.open { fixture in
            let (people, group) = try fixture.friends("Ada", "Bo")
            let (ada, bo) = (people[0], people[1])
            let fixes: JSON = [
                "fixes": [
                    .fix(1, 48.2, 16.37), .fix(2, 91, 16.37), .fix(3, 0, 0),
                    .fix(4, 48.2001, 16.37, ["accuracy": 5, "battery": 81]),
                    .fix(5, 48.2, 16.37, ["at": 1000]), ["lat": 48.2, "lon": 16.37],
                ]
            ]
            let path = "/v1/locations?device=tracker-1"
            let reply = try fixture.http("POST", path, token: ada.account.token, body: fixes)
            #expect(reply.status == 200)
            #expect(reply.json?["seq"].int == 5)
            let malformed = reply.json?["rejected"].elements.filter { $0["reason"].string == "bad_fix" } ?? []
            #expect(malformed.compactMap { $0["seq"].int } == [2, 3, 5])
            let dropped = reply.json?["dropped"].elements ?? []
            #expect(dropped.map { $0["seq"].int } == [4] && dropped.map { $0["field"].string } == ["battery"])
            #expect(malformed.map { $0["field"].string } == ["lat", "lat", "at", "seq"])
            #expect(malformed.map { $0["index"].int } == [1, 2, nil, 5])
            #expect(try self.stored(fixture, of: ada.account.id).rows == 2, "the answer came before the commit")
            try bo.waitUntil("Ada, by her tracker") { bo.roster(group)[ada.account.id].latitude == 48.2001 }

            let again = try fixture.http("POST", path, token: ada.account.token, body: fixes)
            #expect(again.json?["seq"].int == 5)
            let duplicates = again.json?["rejected"].elements.filter { $0["reason"].string == "duplicate" } ?? []
            #expect(duplicates.compactMap { $0["seq"].int } == [1, 4])
            #expect(try self.stored(fixture, of: ada.account.id).rows == 2)

            #expect(try fixture.http("POST", path, body: fixes).status == 401)
            #expect(try fixture.http("POST", path, token: "no such token", body: fixes).status == 401)
            let nameless = try fixture.http("POST", "/v1/locations", token: ada.account.token, body: fixes)
            #expect(nameless.status == 400)
            #expect(nameless.json?["field"].string == "device")
            let unnamed = try fixture.http(
                "POST",
                path,
                token: ada.account.token,
                body: ["fixes": [["lat": 1, "lon": 1]]]
            )
            #expect(unnamed.status == 422)
            #expect(unnamed.json?["field"].string == "seq")
            #expect(try fixture.count(of: "muster.device WHERE kind = 'tracker'") == 1)
            // A report by HTTP does not change the kind of a device that declared it before.
            let key = try #require(
                try fixture.query("SELECT key FROM muster.device WHERE kind <> 'tracker' LIMIT 1").onlyRow()
            )
            let own = "/v1/locations?device=\(try key.text("key"))"
            #expect(try fixture.http("POST", own, token: ada.account.token, body: fixes).status == 200)
            #expect(try fixture.count(of: "muster.device WHERE kind = 'tracker'") == 1)
            let broken = try fixture.http("POST", path, token: ada.account.token, rawBody: "{]")
            #expect(broken.status == 400)
            #expect(broken.code == "bad_json")
        }
    }
}
