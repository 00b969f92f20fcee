import EventLoop
import Foundation
import MusterTestSupport
import Postgres
import Testing

@testable import MusterWire

@Suite("What is asked too often", .blocking)
struct TooOftenTests {
    /// A request of one of two friends that is refused after its burst.
    struct Case: Sendable, CustomTestStringConvertible {
        let type: String
        let burst: Int
        /// Its fields for the group and the number of the attempt.
        let fields: @Sendable (_ group: String, _ number: Int) -> JSON

        init(_ type: String, _ burst: Int, _ fields: @escaping @Sendable (String, Int) -> JSON) {
            self.type = type
            self.burst = burst
            self.fields = fields
        }

        var testDescription: String { self.type }
    }

    static let cases = [
        Case("chat.edit", 10) { group, number in
            ["room": .string(group), "seq": 3, "text": .string("Words \(number)")]
        },
        Case("chat.delete", 10) { group, _ in ["room": .string(group), "seq": 3] },
        Case("group.update", 5) { group, number in ["group": .string(group), "name": .string("Name \(number)")] },
        Case("sharing.set", 10) { group, _ in ["group": .string(group), "mode": "live"] },
        Case("room.set", 10) { group, number in ["room": .string(group), "slow": .integer(Int64(number))] },
        Case("group.join", 6) { _, number in ["code": .string("AAAAAAAAAAA\(number)")] },
    ]

    @Test("a request is refused behind its burst, and says when it may be made", arguments: cases)
    func bursts(_ tried: Case) async throws {
        try await ServerFixture.open { fixture in
            let (people, group) = try fixture.friends("Ada", "Bo")
            try people[0].request("chat.send", ["room": .string(group), "key": "a", "text": "Words"])
            let answers = try repeatUntilRefused(most: 4 * tried.burst, where: \.isTooOften) { number in
                try people[0].send(tried.type, tried.fields(group, number).with(["id": .string("try-\(number)")]))
                return try people[0].answer(tagged: "try-\(number)")
            }
            #expect(answers.count > tried.burst)
            let refusal = try #require(answers.last)
            #expect(refusal.isTooOften && refusal["retry"].bool == true)
            #expect((refusal["retryAfter"].int ?? 0) > 0)
        }
    }

    @Test("a profile that is changed too often is answered 429")
    func profile() async throws {
        try await ServerFixture.open { fixture in
            let ada = try fixture.signUp("Ada")
            func change(_ number: Int) throws -> HTTPReply {
                try fixture.http("PATCH", "/v1/me", token: ada.token, body: ["name": .string("Ada \(number)")])
            }
            let replies = try repeatUntilRefused(most: 8, where: { $0.status == 429 }, change)
            #expect(replies.count > 5 && replies.dropLast().allSatisfy { $0.status == 200 })
            let refusal = try #require(replies.last)
            #expect(refusal.status == 429)
            #expect(refusal.code == "rate_limited")
            #expect(refusal.headers["retry-after"] != nil)
            #expect(
                try fixture.http("GET", "/v1/me", token: ada.token).json?["name"].string == "Ada \(replies.count - 2)"
            )
        }
    }

    @Test("who shows more too often is refused; who shows less never is, and it holds at once")
    func sharing() async throws {
        try await ServerFixture.open { fixture in
            let (people, group) = try fixture.friends("Ada", "Bo")
            let (ada, bo) = (people[0], people[1])
            try ada.sendFix(48.2, 16.37)
            try bo.waitUntil("Ada") { bo.roster(group)[ada.account.id].latitude == 48.2 }
            let more = try repeatUntilRefused(most: 40, where: \.isTooOften) { try self.answer(ada, "live", $0) }
            #expect((11...40).contains(more.count) && more.last?.isTooOften == true)
            func changes() throws -> Int64 {
                try fixture.query("SELECT revision FROM muster.grp").onlyRow()?.int64("revision") ?? 0
            }
            let (revision, started) = (try changes(), MonotonicClock.system.milliseconds)
            for number in 0..<20 { #expect(try self.answer(ada, "paused", 100 + number)["type"].string == "ok") }
            // Storage has at most one change a second above the rate, and those that the rate permits every other second.
            let seconds = (MonotonicClock.system.milliseconds - started) / 1_000
            #expect(try changes() - revision <= seconds + seconds / 2 + 2)
            try bo.waitUntil("Ada hidden") { bo.roster(group)[ada.account.id].latitude == nil }
            // After a pause this shows more.
            let afterPause = try repeatUntilRefused(most: 10, where: \.isTooOften) { number in
                _ = try self.answer(ada, "paused", 200 + number)
                return try self.answer(ada, "approximate", 200 + number)
            }
            #expect(afterPause.last?.isTooOften == true)
            #expect(bo.roster(group)[ada.account.id].sharing == "paused")
            // A very short pause lasts at least a second, which limits the updates to others.
            let until = JSON.now(plus: 50)
            try ada.send("sharing.set", ["mode": "paused", "until": until, "id": "brief"])
            #expect(try ada.answer(tagged: "brief")["type"].string == "ok")
            let stored = try fixture.query(
                "SELECT sharing_until > clock_timestamp() + interval '300 milliseconds' AS is_long FROM muster.membership WHERE sharing = 'paused'"
            )
            #expect(try stored.first?.bool("is_long") == true)
        }
    }

    private func answer(_ client: TestClient, _ mode: String, _ number: Int) throws -> Frame {
        try client.send("sharing.set", ["mode": .string(mode), "id": .string("\(mode)-\(number)")])
        return try client.answer(tagged: "\(mode)-\(number)")
    }

    @Test("who comes and goes too often may leave, but not come back; the room has a line a time")
    func membership() async throws {
        try await ServerFixture.open { fixture in
            let (people, group) = try fixture.friends("Ada", "Bo")
            let (ada, bo) = (people[0], people[1])
            let code = try ada.invite(to: group)
            func lines() throws -> Int64 {
                try fixture.count(of: "muster.message WHERE room_id = $1", [.id(group)])
            }
            let before = try lines()
            var refusal: Frame?
            var rounds: Int64 = 0
            while refusal == nil, rounds < 10 {
                rounds += 1
                try bo.request("group.leave", ["group": .string(group)])
                try bo.send("group.join", ["code": .string(code), "id": .string("join-\(rounds)")])
                let answer = try bo.answer(tagged: "join-\(rounds)")
                if answer["type"].string != "ok" { refusal = answer }
            }
            #expect(refusal?.isTooOften == true)
            #expect(rounds <= 4)
            #expect(try lines() == before + rounds)
        }
    }
}
