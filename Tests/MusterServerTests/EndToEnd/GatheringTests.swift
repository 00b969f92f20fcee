import EventLoop
import MusterTestSupport
import MusterWire
import Testing

@testable import Postgres

@Suite("Left without you", .blocking)
struct GatheringTests {
    private static let cafe = (latitude: 48.2, longitude: 16.37)

    /// Sends reports from the café until each user has sent two since the last one arrived.
    private func meet(_ people: [TestClient], at times: [Int64] = ReportTimes.fromNow) throws {
        try report(people, at: times) { (Self.cafe.latitude + Double($0) / 10_000, Self.cafe.longitude) }
    }

    @Test("three meet, the fourth is told, and told again until it was seen")
    func leftBehind() async throws {
        try await ServerFixture.open { fixture in
            let (people, group) = try fixture.friends("Ada", "Bo", "Cy", "Di")
            let (ada, di) = (people[0], people[3])
            // About 2.2 km to the north.
            try di.sendFix(48.22, 16.37)
            try di.waitForAck()
            try self.meet(Array(people[0...2]))

            for person in people {
                let received = try person.expect("gathering", within: 15_000)
                #expect(received["state"].string == "together")
                #expect(received["group"].string == group)
                #expect(Set(received["together"].strings) == Set(people[0...2].map(\.account.id)))
                #expect(received["absent"].strings == [di.account.id])
            }
            let alert = try di.expect("left_without_you", within: 15_000)
            let number = alert["notification"].int ?? 0
            #expect(alert["variant"].string == "gathered")
            #expect(alert["groupName"].string == "Sunday climbers")
            #expect(alert["late"].bool == false)
            #expect(abs((alert["distance"].double ?? 0) - 2224) < 60)
            #expect(abs((alert["place"]["lat"].double ?? 0) - Self.cafe.latitude) < 0.001)
            #expect(Set(alert["together"].elements.compactMap { $0["name"].string }) == ["Ada", "Bo", "Cy"])
            #expect(alert["you"]["lat"].double == 48.22)

            // The operators' view.
            let row = try fixture.query(
                "SELECT number, payload ->> 'variant' AS variant, seen_at FROM muster.notification"
            ).onlyRow()
            #expect(try row?.int64("number") == number)
            #expect(try row?.text("variant") == "gathered")
            #expect(try row?.isNull("seen_at") == true)
            #expect(try fixture.count(of: "muster.gathering WHERE state = 'together' AND ended_at IS NULL") == 1)
            #expect(try fixture.count(of: "muster.gathering_member WHERE standing = 'together'") == 3)
            #expect(try fixture.count(of: "muster.gathering_member WHERE standing = 'absent' AND NOT took_part") == 1)

            // Members can query the history later, and others cannot.
            let path = "/v1/groups/\(group)/gatherings"
            let past = try fixture.http("GET", path, token: di.account.token).json
            #expect(past?["gatherings"].count == 1)
            #expect(past?["gatherings"][0]["gathering"].string == alert["gathering"].string)
            #expect(past?["gatherings"][0]["participants"].count == 3)
            let stranger = try fixture.signUp("Eve")
            #expect(try fixture.http("GET", path, token: stranger.token).status == 403)
            #expect(try fixture.http("GET", path).status == 401)

            // Unseen: it is sent again with the same number, also to another device.
            for device in ["phone", "tablet"] {
                let again = try fixture.enter(di.account, device: device)
                #expect(try again.expect("left_without_you")["notification"].int == number)
                #expect(again.roster(group).gathering?["absent"].strings == [di.account.id])
            }
            // A client that has it does not receive it again.
            let holder = try fixture.enter(di.account, device: "laptop", resume: ["notification": .integer(number)])
            try holder.catchUp()
            #expect(holder.unreadFrames("left_without_you").isEmpty)
            // Seen: it is not sent again.
            try holder.request("seen", ["upTo": .integer(number)])
            let isStored = try eventually {
                try fixture.count(of: "muster.notification WHERE seen_at IS NOT NULL") == 1
            }
            #expect(isStored)
            let later = try fixture.enter(di.account)
            try later.catchUp()
            #expect(later.unreadFrames("left_without_you").isEmpty)
            for person in people[0...2] {
                try person.catchUp()
                #expect(person.unreadFrames("left_without_you").isEmpty, "\(ada.account.name) was there")
            }
        }
    }

    @Test("an open gathering survives a crash of the server, and nobody is alerted twice")
    func crash() async throws {
        try await ServerFixture.open { fixture in
            let (people, group) = try fixture.friends("Ada", "Bo", "Cy", "Di")
            let di = people[3]
            try di.sendFix(48.22, 16.37)
            try self.meet(Array(people[0...2]))
            let alert = try di.expect("left_without_you", within: 15_000)
            let gathering = alert["gathering"].string ?? ""
            try fixture.crash()

            let again = try people.map { try fixture.enter($0.account) }
            for person in again {
                try person.waitUntil("the gathering") {
                    person.roster(group).gathering?["gathering"].string == gathering
                }
            }
            // They continue to report; fixes after the restart are evaluated 3 s later.
            try again[3].sendFix(48.2201, 16.37)
            try self.meet(Array(again[0...2]))
            let evaluated = try eventually {
                let sql = "SELECT max(received_at) < now() - interval '5 s' AS is_past FROM muster.fix"
                return try fixture.query(sql).onlyRow()?.bool("is_past") == true
            }
            #expect(evaluated)
            for person in again { try person.catchUp() }
            #expect(try fixture.count(of: "muster.notification") == 1)
            #expect(try fixture.count(of: "muster.gathering WHERE ended_at IS NULL") == 1)
            #expect(again[3].received.filter { $0.type == "left_without_you" }.count == 1, "the one that is unseen")
        }
    }

    @Test("a crash in the middle of a dwell does not start it anew")
    func crashInDwell() async throws {
        try await ServerFixture.open { fixture in
            let (people, group) = try fixture.friends("Ada", "Bo", "Cy", "Di", settings: ["dwell": 12])
            try people[3].sendFix(48.22, 16.37)
            try self.meet(Array(people[0...2]))
            // Decided 3 s after the fixes.
            let isWaiting = try eventually(within: 15_000) {
                let sql = """
                    gathering_state WHERE updated_at > (SELECT max(received_at) FROM muster.fix) + interval '2 s'
                    """
                return try fixture.count(of: "muster.\(sql)") == 1
            }
            #expect(isWaiting)
            #expect(try fixture.count(of: "muster.gathering") == 0)
            try fixture.crash()
            let restarted = MonotonicClock.system.wallMilliseconds

            let again = try people.map { try fixture.enter($0.account) }
            try again[3].sendFix(48.2201, 16.37)
            try self.meet(Array(again[0...2]))
            for person in again {
                let began = try person.expect("gathering", within: 30_000)
                #expect(began["group"].string == group)
                #expect(began["since"].int ?? .max < restarted, "the dwell began before the crash")
            }
            let alert = try again[3].expect("left_without_you", within: 15_000)
            #expect(alert["since"].int ?? .max < restarted)
            #expect(try fixture.count(of: "muster.notification") == 1)
        }
    }

    @Test("a crash in the middle of a departure: the one who was left is told all the same, and once")
    func crashInDeparture() async throws {
        try await ServerFixture.open { fixture in
            let (friends, group) = try fixture.friends("Ada", "Bo", "Cy", "Di")
            // Only a member who stayed for a minute can be left behind. All have been members for long and here for a
            // while.
            try fixture.query("UPDATE muster.membership SET visible_since = visible_since - interval '1 hour'")
            try fixture.crash()
            let people = try friends.map { try fixture.enter($0.account) }
            try self.meet(people, at: ReportTimes.stay)
            try people[0].expect("gathering", within: 15_000) { $0["together"].count == 4 }
            // A fix of each about 280 m to the north, and two more: they left, and Di is still there.
            func go(_ people: [TestClient]) throws {
                try report(people, at: ReportTimes.fromNow) {
                    (Self.cafe.latitude + ($0 == 3 ? 0 : 0.0025), Self.cafe.longitude)
                }
            }
            try go(people)
            // Links open after 60 s, and the absence of the others must also last 60 s.
            let apart = try people[0].expect("gathering", within: 90_000) { $0["absent"].count == 1 }
            #expect(apart["absent"].strings == [people[3].account.id])
            #expect(try fixture.count(of: "muster.notification") == 0, "nothing is decided yet")
            try fixture.crash()

            let again = try people.map { try fixture.enter($0.account) }
            try go(again)
            let alert = try again[3].expect("left_without_you", within: 90_000)
            #expect(alert["variant"].string == "departed")
            #expect(alert["gathering"].string == apart["gathering"].string)
            #expect(again[3].roster(group).gathering?["gathering"].string == apart["gathering"].string)
            #expect(try fixture.count(of: "muster.notification") == 1)
        }
    }

    @Test("a gathering whose people went apart ends, for everybody")
    func ends() async throws {
        try await ServerFixture.open { fixture in
            let (people, group) = try fixture.friends("Ada", "Bo", "Cy")
            try self.meet(Array(people[0...1]))
            let began = try people[2].expect("gathering", within: 15_000)
            try people[0].request("sharing.set", ["mode": "paused"])
            // By the rule, 60 s with too few members.
            let ended = try people[2].expect("gathering", within: 80_000) { $0["state"].string == "ended" }
            #expect(ended["gathering"].string == began["gathering"].string)
            let isStored = try eventually {
                try fixture.count(of: "muster.gathering WHERE state = 'ended' AND ended_at IS NOT NULL") == 1
            }
            #expect(isStored)
            let late = try fixture.enter(people[2].account, device: "tablet")
            try late.waitUntil("the roster") { late.rosters[group] != nil }
            #expect(late.roster(group).gathering?.isNull == true)
        }
    }
}
