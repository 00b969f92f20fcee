import MusterTestSupport
import Postgres
import Testing

@testable import MusterWire

@Suite("Group places and arrivals", .blocking)
struct ArrivalTests {
    private static let home = (lat: 48.2, lon: 16.37)

    /// Adds a place that all members see.
    private static func addPlace(_ client: TestClient, to group: String, _ more: JSON = [:]) throws -> String {
        let fields: JSON = [
            "group": .string(group), "key": "k1", "name": "Home", "icon": "home", "lat": .number(Self.home.lat),
            "lon": .number(Self.home.lon), "radius": 100,
        ]
        let answer = try client.request("group.place.add", fields.with(more))
        return try #require(answer["place"]["id"].string)
    }

    /// Moves memberships and choices into the past, so that backdated fixes count, and starts the server again.
    private static func backdate(_ fixture: ServerFixture) throws {
        fixture.server.kill()
        for sql in [
            "UPDATE muster.membership SET joined_at = now() - interval '1 day', visible_since = now() - interval '1 day'",
            "UPDATE muster.place_consent SET at = now() - interval '1 day'",
        ] {
            try fixture.query(sql)
        }
        try fixture.restart()
    }

    /// Sends fixes, each the given metres north of the place and that many seconds ago.
    private static func send(_ client: TestClient, _ fixes: [(metres: Double, ago: Int64)]) throws {
        let all = fixes.map { fix in
            client.lastSequence += 1
            return JSON.fix(
                client.lastSequence,
                Self.home.lat + fix.metres / 111_195,
                Self.home.lon,
                ["accuracy": 8, "at": .now(plus: -fix.ago * 1_000)]
            )
        }
        try client.send("locations", ["fixes": .array(all)])
        try client.waitForAck()
    }

    private static let arrival: [(Double, Int64)] = [(2_000, 285), (1_400, 225), (30, 165), (40, 105)]
    private static let departure: [(Double, Int64)] = [(300, 80), (900, 20)]

    @Test("a member who chose so is announced at home and on leaving, to the chosen members only")
    func arrival() async throws {
        try await ServerFixture.open { fixture in
            let (people, group) = try fixture.friends("Ada", "Bo", "Cy")
            let place = try Self.addPlace(people[0], to: group)
            let shown = try people[1].expect("group_place")
            #expect(shown["place"]["id"].string == place)
            #expect(shown["place"]["notify"].string == nil, "a choice of another member")
            let ada = people[0].account
            let answer = try people[1].request(
                "group.place.notify",
                ["place": .string(place), "to": .array([.string(ada.id)])]
            )
            #expect(answer["place"]["notify"].strings == [ada.id])

            try Self.backdate(fixture)
            let (anna, bo, cy) = (
                try fixture.enter(ada), try fixture.enter(people[1].account), try fixture.enter(people[2].account)
            )
            try Self.send(bo, Self.arrival)
            let arrived = try anna.expect("place_arrived")
            #expect(arrived["user"]["name"].string == "Bo")
            #expect(arrived["place"]["name"].string == "Home")
            let places = try anna.request("group.places", ["group": .string(group)])
            #expect(
                places["places"].elements.first?["here"].elements.map { $0["user"].string } == [people[1].account.id]
            )
            #expect(places["places"].elements.first?["notify"].string == "nobody")
            let others = try cy.request("group.places", ["group": .string(group)])
            #expect(others["places"].elements.first?["here"].elements.isEmpty == true)

            try Self.send(bo, Self.departure)
            let number = try #require(arrived["notification"].int)
            #expect(
                try anna.expect("seen")["notifications"].elements.map(\.int) == [number],
                "the newer one replaces it"
            )
            try anna.expect("place_left")
            try cy.catchUp()
            #expect(cy.received.allSatisfy { $0.type != "place_arrived" && $0.type != "place_left" })
            #expect(try fixture.count(of: "ops.places_now WHERE consents = 1 AND inside = 0") == 1)
        }
    }

    @Test("after a kill -9 right after the acknowledgement an arrival is told, and only once")
    func crash() async throws {
        try await ServerFixture.open { fixture in
            let (people, group) = try fixture.friends("Ada", "Bo")
            let place = try Self.addPlace(people[0], to: group)
            try people[1].request("group.place.notify", ["place": .string(place), "to": "everybody"])
            try Self.backdate(fixture)
            let bo = try fixture.enter(people[1].account)
            try Self.send(bo, Self.arrival)
            for _ in 0..<3 { try fixture.crash() }
            let ada = try fixture.enter(people[0].account)
            try ada.expect("place_arrived")
            try fixture.crash()
            let again = try fixture.enter(people[1].account)
            again.lastSequence = bo.lastSequence
            try Self.send(again, Self.departure)
            let last = try fixture.enter(people[0].account)
            try last.expect("place_left")
            #expect(try fixture.count(of: "muster.notification WHERE kind = 'place_arrived'") == 1)
            #expect(try fixture.count(of: "muster.notification WHERE kind = 'place_left'") == 1)
        }
    }

    @Test("nothing is told in a pause, after a block, to a member who muted the place, or once the choice has ended")
    func consent() async throws {
        for (name, change): (String, (TestClient, TestClient, String) throws -> Void) in [
            ("pause", { bo, _, _ in try bo.request("sharing.set", ["mode": "paused"]) }),
            ("approximate", { bo, _, _ in try bo.request("sharing.set", ["mode": "approximate"]) }),
            (
                "nobody",
                { bo, _, place in
                    try bo.request("group.place.notify", ["place": .string(place), "to": "nobody"])
                }
            ),
            (
                "mute",
                { _, ada, place in
                    try ada.request("group.place.mute", ["place": .string(place), "muted": true])
                }
            ),
            ("block", { bo, ada, _ in try ada.request("user.block", ["user": .string(bo.account.id)]) }),
        ] {
            try await ServerFixture.open { fixture in
                let (people, group) = try fixture.friends("Ada", "Bo")
                let place = try Self.addPlace(people[0], to: group)
                try people[1].request("group.place.notify", ["place": .string(place), "to": "everybody"])
                try Self.backdate(fixture)
                let (ada, bo) = (try fixture.enter(people[0].account), try fixture.enter(people[1].account))
                try change(bo, ada, place)
                try Self.send(bo, Self.arrival)
                // The state of the place is stored once the rule has decided, or the rule is not asked at all.
                if name == "mute" || name == "block" {
                    let isDecided = try eventually { try fixture.count(of: "muster.place_state WHERE inside") == 1 }
                    #expect(isDecided)
                } else {
                    try Self.send(bo, [(50, 1)])
                }
                try ada.catchUp()
                #expect(ada.received.allSatisfy { $0.type != "place_arrived" }, "\(name)")
                #expect(try fixture.count(of: "muster.notification WHERE kind = 'place_arrived'") == 0, "\(name)")
            }
        }
    }

    @Test("a request that is not allowed is refused and changes nothing")
    func refusals() async throws {
        try await ServerFixture.open { fixture in
            let (people, group) = try fixture.friends("Ada", "Bo")
            let (ada, bo) = (people[0], people[1])
            let stranger = try fixture.enter(try fixture.signUp("Eve"))
            let place = try Self.addPlace(bo, to: group)
            #expect(try Self.addPlace(bo, to: group, ["name": "Again"]) == place, "the same key")
            func code(_ client: TestClient, _ type: String, _ fields: JSON) throws -> String? {
                try client.refusal(of: type, fields)["code"].string
            }
            let id: JSON = ["place": .string(place)]
            #expect(try code(stranger, "group.places", ["group": .string(group)]) == "not_member")
            for type in ["group.place.delete"] { #expect(try code(stranger, type, id) == "not_found") }
            #expect(try code(stranger, "group.place.mute", id.with(["muted": true])) == "not_found")
            let eve: JSON = ["to": .array([.string(stranger.account.id)])]
            #expect(try code(bo, "group.place.notify", id.with(eve)) == "bad_request")
            let own: JSON = ["to": .array([.string(bo.account.id)])]
            #expect(try code(bo, "group.place.notify", id.with(own)) == "bad_request")
            #expect(try code(bo, "group.place.update", id.with(["revision": 7, "name": "New"])) == "conflict")
            let cy = try fixture.enter(try fixture.signUp("Cy"))
            try cy.join(try ada.invite(to: group))
            #expect(try code(cy, "group.place.delete", id) == "forbidden")
            for radius in ["49.9", "2000.1"] {
                try bo.sendBroken(
                    #"{"type":"group.place.add","id":77,"group":"\#(group)","key":"k2","name":"X","icon":"home","lat":1,"#
                        + #""lon":1,"radius":\#(radius)}"#
                )
                #expect(try bo.expect("error")["field"].string == "radius")
            }
            #expect(try fixture.count(of: "muster.group_place") == 1)
            // The owner may do it, and takes over the places of a member who left.
            let renamed = try ada.request("group.place.update", id.with(["revision": 1, "name": "Bo's"]))
            #expect(renamed["place"]["revision"].int == 2)
            try bo.request("group.leave", ["group": .string(group)])
            let places = try ada.request("group.places", ["group": .string(group)])
            #expect(places["places"].elements.first?["by"].string == ada.account.id)
            try ada.request("group.place.delete", id)
            #expect(try cy.expect("group_place_gone")["place"].string == place)
        }
    }
}
