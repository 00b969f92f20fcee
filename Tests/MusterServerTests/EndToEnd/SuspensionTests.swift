import Foundation
import MusterTestSupport
import Postgres
import Testing

@testable import MusterWire

/// A group whose stored gathering takes too long to evaluate.
@Suite("A group that is set aside", .blocking)
struct SuspensionTests {
    /// A gathering of yesterday that moved, and whose members fell silent one after the other.
    private static func state(of users: [String]) -> String {
        let now = Date.now.timeIntervalSince1970
        func moment(_ hoursAgo: Double) -> String {
            Date(timeIntervalSince1970: now - hoursAgo * 3600).formatted(
                .iso8601.year().month().day().time(includingFractionalSeconds: true)
            ) + "Z"
        }
        let (place, since) = (#"{"lat":48.2,"lon":16.37}"#, moment(40))
        let members = users.enumerated().map { index, user in
            let last = moment(39.5 - Double(index) / 10)
            return """
                {"user":"\(user)","isSharing":true,"standing":"usable","counts":true,"linkedSince":"\(since)",
                "position":{"at":"\(last)","place":\(place),"accuracy":5,"isStationary":false,"speed":0,"interval":0,
                "usableUntil":"\(last)","isBeyondStay":false,"rest":{"place":\(place),"since":"\(since)"},
                "stay":{"place":\(place),"since":"\(since)"}}}
                """
        }
        let all = "[\(users.map { #""\#($0)""# }.joined(separator: ","))]"
        return """
            {"version":4,"at":"\(moment(39.6))","members":[\(members.joined(separator: ","))],
            "clusters":[{"members":\(all),"apart":[]}],"transitions":[],"partings":[],"cooldowns":[],
            "gathering":{"id":"77","hasMoved":false,"since":"\(since)","begin":"\(since)","place":\(place),
            "toldTogether":\(all),"toldAbsent":[],"together":\(all),"participants":\(all),"told":[],"absent":[],
            "isAbsenceSpoken":false,"bond":\(all),"departures":[],
            "elsewhere":{"place":{"lat":48.21,"lon":16.37},"since":"\(moment(39.6))"}}}
            """
    }

    @Test("the server starts, serves the others, and says so in ops, in the metrics and in the log")
    func start() async throws {
        try await ServerFixture.open(["--group-budget", "5"]) { fixture in
            let (people, group) = try fixture.friends("Ada", "Bo", "Cy")
            fixture.server.kill()
            _ = try fixture.query(
                "DELETE FROM muster.gathering_state WHERE group_id = $1",
                [.id(group)]
            )
            _ = try fixture.query(
                "INSERT INTO muster.gathering_state (group_id, state, updated_at) VALUES ($1, $2::jsonb, now())",
                [.id(group), .text(Self.state(of: people.map(\.account.id)))]
            )
            try fixture.restart()
            let ada = try fixture.enter(people[0].account)
            let bo = try fixture.enter(people[1].account)
            // Its members still see each other.
            try ada.sendFix(48.3, 16.37)
            try bo.waitUntil("Ada's place") { bo.roster(group)[ada.account.id].latitude == 48.3 }
            let isListed = try eventually(within: 20_000) {
                try fixture.count(of: "ops.groups_set_aside WHERE cause = 'exhausted' AND retry_at > now()") == 1
            }
            #expect(isListed)
            let isCounted = try eventually(within: 20_000) {
                try fixture.http("GET", "/metrics").text.contains("muster_groups_set_aside 1")
            }
            #expect(isCounted)
            #expect(
                eventually(within: 20_000) { fixture.server.log.contains("the evaluation of a group was suspended") }
            )
            // Another group is not affected.
            let (others, _) = try fixture.friends("Di", "Ed")
            #expect(others.count == 2)
            #expect(try fixture.http("GET", "/readyz").status == 200)
        }
    }
}
