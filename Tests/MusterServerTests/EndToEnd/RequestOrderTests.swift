import MusterTestSupport
import MusterWire
import Postgres
import Testing

/// The order of requests behind a slow one.
///
/// A locked table makes a request slow.
@Suite("The order of requests", .blocking) struct RequestOrderTests {
    private static let near: JSON = ["lat": 48.2, "lon": 16.37, "radius": 500, "limit": 10]

    /// Runs `body` while a table is locked.
    private static func locking(_ table: String, of fixture: ServerFixture, _ body: () throws -> Void) throws {
        try fixture.query("BEGIN")
        try fixture.query("LOCK TABLE \(table) IN ACCESS EXCLUSIVE MODE")
        defer { _ = try? fixture.query("ROLLBACK") }
        try body()
    }

    @Test(
        "beside a query that takes long, fixes are acknowledged, pings and other requests answered, and barriers done"
    )
    func besideAQuery() async throws {
        try await ServerFixture.open { fixture in
            let (people, group) = try fixture.friends("Ada", "Bo")
            let ada = people[0]
            try Self.locking("muster.spot", of: fixture) {
                try ada.send("spots.nearby", Self.near.with(["id": "slow"]))
                for step in 0..<5 { try ada.sendFix(48.2 + Double(step) / 100_000, 16.37) }
                try ada.waitForAck()
                #expect(try ada.request("group.list")["groups"].count == 1)
                try ada.request("sharing.set", ["mode": "paused", "group": .string(group)])
                try people[1].waitUntil("the pause") {
                    people[1].roster(group)[ada.account.id].sharing == "paused"
                }
                try ada.catchUp()
                #expect(ada.received.allSatisfy { $0["id"].string != "slow" })
            }
            let late = try ada.expect("ok") { $0["id"].string == "slow" }
            #expect(late["spots"].count == 0)
        }
    }

    @Test("eight requests wait beside each other; the ninth waits for one of them, a fix does not")
    func nineRequests() async throws {
        try await ServerFixture.open { fixture in
            let ada = try fixture.enter(try fixture.signUp("Ada"))
            try Self.locking("muster.spot", of: fixture) {
                for number in 1...8 { try ada.send("spots.all", ["limit": 1, "id": .string("slow \(number)")]) }
                // It does not use the locked table, and is answered only when a slot is free.
                try ada.send("group.list", ["id": "ninth"])
                try ada.sendFix(48.2, 16.37)
                try ada.waitForAck()
                try ada.catchUp()
                #expect(ada.received.allSatisfy { $0["id"].string != "ninth" })
            }
            for id in (1...8).map({ "slow \($0)" }) + ["ninth"] { try ada.expect("ok") { $0["id"].string == id } }
        }
    }

    @Test("the last of several votes sent at once counts, and who reads after writing sees what was written")
    func lines() async throws {
        try await ServerFixture.open { fixture in
            let ada = try fixture.enter(try fixture.signUp("Ada"))
            for round in 0..<5 {
                let comment = "Spot \(round)"
                try ada.send("spot.add", ["lat": 48.2, "lon": 16.37, "comment": .string(comment)])
                let newest = try ada.request("spots.all", ["limit": 1])["spots"][0]
                #expect(newest["comment"].string == comment)
                let id: JSON = .string(newest["id"].string ?? "")
                for vote in ["like", "dislike", "none"] {
                    try ada.send("spot.vote", ["spot": id, "vote": .string(vote)])
                }
                let voted = try ada.request("spot.vote", ["spot": id, "vote": "dislike"])["spot"]
                #expect(voted["vote"].string == "dislike")
                #expect(try ada.request("spots.nearby", Self.near)["spots"].elements.last?["dislikes"].int == 1)
            }
        }
    }

    @Test("a request that does not end in ten seconds is unavailable, and the session goes on")
    func slowRequest() async throws {
        try await ServerFixture.open { fixture in
            let ada = try fixture.enter(try fixture.signUp("Ada"))
            try Self.locking("muster.spot", of: fixture) {
                try ada.send("spots.all", ["limit": 1, "id": "slow"])
                let error = try ada.expect("error", within: 30_000) { $0["id"].string == "slow" }
                #expect(error["code"].string == "unavailable")
                #expect(error["retry"].bool == true)
                try ada.request("group.list")
            }
            #expect(try ada.request("spots.all", ["limit": 1])["spots"].count == 0)
        }
    }

    @Test("a barrier that does not end in ten seconds ends its session with 4503")
    func slowBarrier() async throws {
        try await ServerFixture.open { fixture in
            let ada = try fixture.enter(try fixture.signUp("Ada"))
            try Self.locking("muster.grp", of: fixture) {
                try ada.send("group.create", ["name": "Slow", "id": 1])
                try ada.send("ping", ["id": 2])
                #expect(try ada.expect("error", within: 30_000)["code"].string == "unavailable")
                #expect(try ada.expectClose() == 4503)
                #expect(ada.received.allSatisfy { $0.type != "pong" })
            }
        }
    }

    @Test("whoever leaves with eight requests under way is gone, and comes back as if nothing were")
    func dropped() async throws {
        try await ServerFixture.open { fixture in
            let account = try fixture.signUp("Ada")
            try Self.locking("muster.spot", of: fixture) {
                let ada = try fixture.enter(account)
                for _ in 1...8 { try ada.send("spots.all", ["limit": 1]) }
                try ada.send("spot.add", ["lat": 48.2, "lon": 16.37, "comment": "Asked for before leaving"])
                try ada.catchUp()
                try ada.sendRaw(opcode: 8, [0x03, 0xE8])
                try ada.expectClose()
                let again = try fixture.enter(account)
                try again.sendFix(48.2, 16.37)
                try again.waitForAck()
            }
            let ada = try fixture.enter(account, device: "tablet")
            #expect(try ada.request("spots.all", ["limit": 10])["spots"].count <= 1)
        }
    }

    @Test("thirty spots at once and one every two minutes, and not one more")
    func rate() async throws {
        try await ServerFixture.open { fixture in
            let ada = try fixture.enter(try fixture.signUp("Ada"))
            let spot: JSON = ["lat": 48.2, "lon": 16.37, "comment": "One of many"]
            let answers = try repeatUntilRefused(most: 40, where: \.isTooOften) { number in
                try ada.send("spot.add", spot.with(["id": .string("spot \(number)")]))
                return try ada.answer(tagged: "spot \(number)")
            }
            #expect(answers.count > 30)
            let error = try #require(answers.last)
            #expect(error.isTooOften)
            #expect((1...120_000).contains(error["retryAfter"].int ?? 0))
            #expect(try fixture.count(of: "muster.spot") == answers.count - 1)
        }
    }
}
