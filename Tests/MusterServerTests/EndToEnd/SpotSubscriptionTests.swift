import EventLoop
import MusterTestSupport
import Postgres
import Testing

@testable import MusterWire

@Suite("Watching for spots", .blocking)
struct SpotSubscriptionTests {
    /// Adds a spot.
    @discardableResult
    private static func add(
        _ comment: String,
        at latitude: Double = 48.2082,
        _ longitude: Double = 16.3738,
        by person: TestClient
    ) throws -> String {
        let draft: JSON = ["lat": .number(latitude), "lon": .number(longitude), "comment": .string(comment)]
        return try person.request("spot.add", draft)["spot"]["id"].string ?? ""
    }

    /// The ids of the new spots that a user received, in order.
    private static func news(of person: TestClient) -> [String] {
        person.received.filter { $0.type == "new_spot" }.compactMap { $0["spot"]["id"].string }
    }

    @Test("a new spot reaches those near it who watch, with its distance; what becomes of it reaches them, too")
    func push() async throws {
        try await ServerFixture.open { fixture in
            let people = try ["Ada", "Bo", "Cy", "Di"].map { try fixture.enter(try fixture.signUp($0)) }
            let (ada, bo, cy, di) = (people[0], people[1], people[2], people[3])
            let tablet = try fixture.enter(ada.account, device: "tablet")
            for person in [ada, bo, tablet] { try person.request("spots.watch", ["scope": "nearby", "radius": 500]) }
            try cy.request("spots.watch", ["scope": "nearby", "radius": 500])
            try di.request("spots.watch", ["scope": "all"])
            // Ten minutes ago, so that a large distance by now is plausible.
            let before: JSON = ["accuracy": 5, "at": .now(plus: -600_000)]
            try ada.sendFix(48.2082, 16.3738)
            try bo.sendFix(48.2110, 16.3738, before)
            try cy.sendFix(48.2182, 16.3738, before)
            for person in [ada, bo, cy] { try person.waitForAck() }
            let spot = try Self.add("Blue Bottle", by: ada)
            let received = try bo.expect("new_spot")
            #expect(received["spot"]["id"].string == spot)
            #expect(received["spot"]["comment"].string == "Blue Bottle")
            #expect(received["spot"]["author"]["name"].string == "Ada")
            #expect(abs((received["distance"].double ?? 0) - 311.3) < 1)
            let everywhere = try di.expect("new_spot")
            #expect(everywhere["spot"]["id"].string == spot)
            #expect(everywhere["distance"].double == nil, "nobody knows where Di is")
            for person in [ada, tablet, cy] {
                try person.catchUp()
                #expect(Self.news(of: person) == [])
            }
            // Cy approaches, and Bo leaves.
            try cy.sendFix(48.2083, 16.3738, ["accuracy": 5, "at": .now()])
            try bo.sendFix(48.25, 16.3738, ["accuracy": 5, "at": .now()])
            for person in [bo, cy] { try person.waitForAck() }
            let second = try Self.add("Second", by: ada)
            #expect(try cy.expect("new_spot")["spot"]["id"].string == second)
            try bo.catchUp()
            #expect(Self.news(of: bo) == [spot])
            // Bo received the first spot, and so receives its changes.
            try cy.request("spot.vote", ["spot": .string(spot), "vote": "like"])
            let changed = try bo.expect("spot_changed")
            #expect(changed["spot"].string == spot)
            #expect(changed["likes"].int == 1)
            #expect(changed["dislikes"].int == 0)
            try ada.request("spot.delete", ["spot": .string(spot)])
            for person in [bo, di] { #expect(try person.expect("spot_gone")["spot"].string == spot) }
            try tablet.catchUp()
            #expect(tablet.unreadFrames("spot_gone").isEmpty, "it was never sent the spot")
            let vote = try bo.refusal(of: "spot.vote", ["spot": .string(spot), "vote": "like"])
            #expect(vote["code"].string == "not_found")
        }
    }

    @Test("who is paused is told of what is near where they are, and nobody sees where")
    func paused() async throws {
        try await ServerFixture.open { fixture in
            let (people, group) = try fixture.friends("Ada", "Bo")
            let (ada, bo) = (people[0], people[1])
            try bo.request("sharing.set", ["mode": "paused"])
            try bo.request("spots.watch", ["scope": "nearby", "radius": 200])
            try bo.sendFix(48.20827, 16.37385)
            try bo.waitForAck()
            let spot = try Self.add("Blue Bottle", at: 48.2083, 16.3738, by: ada)
            #expect(try bo.expect("new_spot")["spot"]["id"].string == spot)
            try ada.catchUp()
            #expect(ada.roster(group)[bo.account.id].latitude == nil)
            #expect(!ada.received.contains { $0.text.contains("48.20827") })
        }
    }

    @Test("who was away catches up on exactly what was missed, near where they are, the newest first")
    func catchUp() async throws {
        try await ServerFixture.open { fixture in
            let ada = try fixture.enter(try fixture.signUp("Ada"))
            let account = try fixture.signUp("Bo")
            var bo = try fixture.enter(account)
            try bo.request("spots.watch", ["scope": "nearby", "radius": 500])
            try bo.sendFix(48.2082, 16.3738)
            try bo.waitForAck()
            let held = try Self.add("held", by: ada)
            try bo.expect("new_spot")
            // Long before the next ones: otherwise it would be in the ten seconds that are sent again.
            try fixture.query("UPDATE muster.spot SET id = id - (60000::bigint << 22)")
            let after = String((Int64(held) ?? 0) - 60_000 << 22)
            #expect(try fixture.count(of: "muster.spot WHERE id = $1", [.id(after)]) == 1)
            try bo.sendRaw(opcode: 0x8, [])
            try bo.expectClose()
            let missed = [
                try Self.add("first", at: 48.2090, by: ada), try Self.add("second", at: 48.2070, by: ada),
            ]
            try Self.add("elsewhere", at: 48.3, by: ada)
            let gone = try Self.add("gone", by: ada)
            try ada.request("spot.delete", ["spot": .string(gone)])
            bo = try fixture.enter(account)
            try bo.request("spots.watch", ["scope": "nearby", "radius": 500, "after": .string(after)])
            try bo.waitUntil("what was missed") { Self.news(of: bo).count == 2 }
            let live = try Self.add("live", by: ada)
            try bo.waitUntil("what is new") { Self.news(of: bo).last == live }
            #expect(Self.news(of: bo) == missed.reversed() + [live])
            // A spot sent in the catch-up is followed up like a live one.
            try ada.request("spot.vote", ["spot": .string(missed[0]), "vote": "dislike"])
            #expect(try bo.expect("spot_changed")["dislikes"].int == 1)
            // After a crash the last position comes from storage.
            try fixture.crash()
            let again = try fixture.enter(account, device: "tablet")
            try again.request("spots.watch", ["scope": "nearby", "radius": 500, "after": .string(after)])
            try again.waitUntil("what was missed") { Self.news(of: again).count == 3 }
            #expect(Self.news(of: again) == [live] + missed.reversed())
        }
    }

    @Test("fifty who vote at once end in the right counts, on every screen and in the table")
    func votes() async throws {
        try await ServerFixture.open { fixture in
            let ada = try fixture.enter(try fixture.signUp("Ada"))
            let bo = try fixture.enter(try fixture.signUp("Bo"))
            for person in [ada, bo] { try person.request("spots.watch", ["scope": "all"]) }
            let spot = try Self.add("Blue Bottle", by: ada)
            try bo.expect("new_spot")
            let voters = try (0..<25).flatMap { number in
                let account = try fixture.signUp("Voter \(number)".replacing(" ", with: "-"))
                return [try fixture.enter(account), try fixture.enter(account, device: "tablet")]
            }
            // All users change their vote, on two devices at once. Each user's last vote is `like` or `dislike`.
            for (number, voter) in voters.enumerated() {
                let last = number / 2 % 5 == 0 ? "dislike" : "like"
                for vote in ["like", "dislike", "none", last] {
                    try voter.send("spot.vote", ["spot": .string(spot), "vote": .string(vote), "id": .string(vote)])
                }
            }
            for voter in voters { for _ in 0..<4 { try voter.expect("ok") } }
            let stored = try #require(
                try fixture.query(
                    """
                    SELECT count(*) FILTER (WHERE vote = 'like') AS likes,
                        count(*) FILTER (WHERE vote = 'dislike') AS dislikes FROM muster.spot_vote
                    """
                ).onlyRow()
            )
            #expect(try stored.int64("likes") == 20)
            #expect(try stored.int64("dislikes") == 5)
            for person in [ada, bo, voters[0], voters[49]] {
                var last: Frame?
                try person.waitUntil("the last count") {
                    last = person.received.last { $0.type == "spot_changed" }
                    return last?["likes"].int == 20 && last?["dislikes"].int == 5
                }
                try person.catchUp()
                #expect(person.received.last { $0.type == "spot_changed" }?["likes"].int == 20)
            }
            let found = try bo.request("spots.all", ["limit": 1])["spots"][0]
            #expect(found["likes"].int == 20)
            #expect(found["dislikes"].int == 5)
            // Two hundred votes, each within a tick or two of the others, conflated to one push per second.
            #expect(bo.received.count { $0.type == "spot_changed" } < 50)
        }
    }

    @Test("a watch that makes no sense is refused and changes nothing; changes are metered")
    func refusals() async throws {
        try await ServerFixture.open { fixture in
            let ada = try fixture.enter(try fixture.signUp("Ada"))
            let bo = try fixture.enter(try fixture.signUp("Bo"))
            try bo.request("spots.watch", ["scope": "all"])
            let bad: [(text: String, field: String)] = [
                (#""scope":"nearby","radius":0"#, "radius"), (#""scope":"nearby","radius":1e9"#, "radius"),
                (#""scope":"nearby","radius":99.9"#, "radius"), (#""scope":"nearby","radius":"NaN""#, "radius"),
                (#""scope":"none","radius":-1"#, "radius"), (#""scope":"everywhere""#, "scope"),
                (#""radius":500"#, "scope"), (#""scope":"all","after":7"#, "after"),
                (#""scope":"all","after":"-7""#, "after"),
            ]
            for (number, frame) in bad.enumerated() {
                try bo.sendBroken("{\"type\":\"spots.watch\",\"id\":\"bad \(number)\",\(frame.text)}")
                let error = try bo.expect("error") { $0["id"].string == "bad \(number)" }
                #expect(error["code"].string == "bad_request")
                #expect(error["field"].string == frame.field)
            }
            let spot = try Self.add("Blue Bottle", by: ada)
            #expect(try bo.expect("new_spot")["spot"]["id"].string == spot)
            for number in 0..<1000 {
                let scope: JSON = number.isMultiple(of: 2) ? "all" : "nearby"
                try bo.send("spots.watch", ["scope": scope, "id": .integer(Int64(10_000 + number))])
            }
            try bo.catchUp()
            var answers: [Frame] { bo.received.filter { ($0["id"].int ?? 0) >= 10_000 } }
            // The server refuses excess requests at once, and may answer the others after the ping.
            try bo.waitUntil("an answer to each") { answers.count >= 1000 }
            #expect(answers.count == 1000)
            let refused = answers.filter { $0.type == "error" }
            #expect((800..<1000).contains(refused.count))
            for answer in refused {
                #expect(answer.isTooOften)
                #expect((answer["retryAfter"].int ?? 0) > 0)
            }
            let watch = try fixture.connect(ada.account, subprotocol: "muster.watch.v1")
            try watch.hello(device: "watch", kind: "watch")
            #expect(try watch.refusal(of: "spots.watch", ["scope": "all"])["code"].string == "forbidden")
        }
    }
}
