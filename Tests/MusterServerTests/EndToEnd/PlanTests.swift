import MusterTestSupport
import Postgres
import Testing

@testable import MusterWire

@Suite("Plans", .blocking)
struct PlanTests {
    /// The centre of the fixture's town.
    private static let centre: JSON = ["lat": 60.17, "lon": 24.94]
    /// Saturday, 2 January 2027, 12:00 in Helsinki.
    private static let noon: Int64 = 1_798_884_000_000

    private func suggest(_ client: TestClient, _ categories: [JSON], _ more: JSON = [:]) throws -> Frame {
        try client.request("plan.suggest", (["categories": .array(categories)] as JSON).with(more))
    }

    /// Saves the first plan for art and food, and returns its id.
    private func kept(_ client: TestClient, _ name: String = "By the sea") throws -> String {
        let answer = try self.suggest(client, ["art", "restaurant"], Self.centre.with(["at": .integer(Self.noon)]))
        let saved = try client.request(
            "plan.save",
            ["suggestion": .string(answer["suggestion"].string ?? ""), "index": 0, "name": .string(name)]
        )
        return try #require(saved["plan"]["id"].string)
    }

    @Test("plans lead through imported places in the order of their categories, open when one comes, none like another")
    func suggestions() async throws {
        try await ServerFixture.openWithPlaces { fixture in
            let ada = try fixture.enter(try fixture.signUp("Ada"))
            let timed = Self.centre.with(["at": .integer(Self.noon), "stay": 1800])
            let answer = try self.suggest(ada, ["art", "restaurant", "park", "bar"], timed)
            #expect(answer["origin"]["from"].string == "given")
            #expect(answer["missing"].strings == ["bar"])
            #expect(answer["attribution"].count == 1)
            #expect(answer["sources"].elements.map { $0["state"].string } == ["local", "local", "local", "local"])
            let plans = answer["plans"].elements
            #expect(plans.count >= 2)
            for plan in plans {
                let stops = plan["stops"].elements
                #expect(stops.map { $0["place"]["category"].string } == ["art", "restaurant", "park"])
                #expect(stops.allSatisfy { $0["leg"]["from"].string == "estimate" && $0["leg"]["geometry"].isNull })
                #expect(stops.allSatisfy { $0["open"].bool != false })
                let names = stops.compactMap { $0["place"]["name"].string }
                #expect(!names.contains("Museum of Rain"), "it is closed on Saturdays")
                #expect(!names.contains("Nine Steps"), "it opens in the evening")
                let walked = stops.compactMap { $0["leg"]["distance"].double }.reduce(0, +)
                #expect(abs((plan["distance"].double ?? 0) - walked) < 1)
                #expect(plan["id"].isNull && plan["routed"].bool == false)
            }
            let first = plans[0]["stops"][0]
            #expect(first["place"]["name"].string == "Gallery North")
            #expect(first["place"]["source"].string == "geojson-town")
            #expect(first["place"]["extent"].isNull)
            #expect(first["place"]["address"].string == "Main Street 2, Testtown")
            #expect(first["place"]["link"].string?.hasPrefix("geo:60.1719,24.9368") == true)
            #expect((first["leaveAt"].int ?? 0) - (first["arriveAt"].int ?? 0) == 1_800_000)
            let sites = plans.flatMap { $0["stops"].elements.map { $0["place"]["website"].string } }
            #expect(sites.allSatisfy { $0 == nil || $0 == "https://north.example.org/" }, "no script is a link")
            #expect(Set(plans.map { $0["name"].string }).count == plans.count)

            // A place further away is found once the radius is doubled, and not beyond.
            let castle = try self.suggest(ada, ["sight"], Self.centre)
            #expect(castle["plans"][0]["stops"][0]["place"]["name"].string == "Far Castle")
            #expect(try self.suggest(ada, ["sight"], Self.centre.with(["radius": 200]))["plans"].count == 0)
            let cheap = try self.suggest(ada, ["art"], timed.with(["until": .integer(Self.noon + 1_000_000)]))
            #expect(cheap["plans"].count == 0, "there is no time")
            let metrics = try fixture.http("GET", "/metrics").text
            for stage in ["places", "plan", "store"] {
                #expect(metrics.contains(#"muster_plan_seconds_count{stage="\#(stage)"} 4"#))
            }
        }
    }

    @Test("what is refused: bad fields, no origin, another's suggestion; one's own position is an origin")
    func refusals() async throws {
        try await ServerFixture.openWithPlaces { fixture in
            let ada = try fixture.enter(try fixture.signUp("Ada"))
            let bo = try fixture.enter(try fixture.signUp("Bo"))
            let wrong: [(JSON, String)] = [
                (["categories": []], "categories"), (["categories": ["casino"]], "categories"),
                (["categories": .array(Array(repeating: "art", count: 7))], "categories"), ([:], "categories"),
                (["categories": ["art"], "lat": 60.17], "lon"), (["categories": ["art"], "radius": 199], "radius"),
                (["categories": ["art"], "pace": "slow"], "pace"), (["categories": ["art"], "stay": 299], "stay"),
                (["categories": ["art"], "maxPrice": 0], "maxPrice"), (["categories": ["art"], "count": 11], "count"),
            ]
            for (number, (fields, field)) in wrong.enumerated() {
                let head: JSON = ["type": "plan.suggest", "id": .string("wrong \(number)")]
                try ada.sendBroken(head.with(fields).text)
                let error = try ada.expect("error") { $0["id"].string == "wrong \(number)" }
                #expect(error["code"].string == "bad_request")
                #expect(error["field"].string == field)
            }
            let art: JSON = ["categories": ["art"]]
            #expect(try ada.refusal(of: "plan.suggest", art)["field"].string == "lat", "nobody knows where Ada is")
            let over = Self.centre.with([
                "categories": ["art"], "at": .integer(Self.noon), "until": .integer(Self.noon),
            ])
            #expect(try ada.refusal(of: "plan.suggest", over)["field"].string == "until")
            try ada.sendFix(60.1701, 24.9399)
            try ada.waitForAck()
            try ada.request("sharing.set", ["mode": "paused"])
            let own = try self.suggest(ada, ["cafe"])
            #expect(own["origin"]["from"].string == "fix")
            #expect(own["plans"][0]["stops"][0]["place"]["name"].string == "Corner Beans")
            let suggestion = JSON.string(own["suggestion"].string ?? "")
            let save: JSON = ["suggestion": suggestion, "index": 0, "name": "A"]
            #expect(try bo.refusal(of: "plan.save", save)["code"].string == "not_found")
            let beyond = try ada.refusal(of: "plan.save", ["suggestion": suggestion, "index": 5, "name": "A"])
            #expect(beyond["field"].string == "index")
            try fixture.query("UPDATE muster.suggestion SET created_at = created_at - interval '1 hour'")
            #expect(try ada.refusal(of: "plan.save", save)["code"].string == "gone")
            #expect(try fixture.count(of: "muster.plan") == 0)
            let watch = try fixture.connect(ada.account, subprotocol: "muster.watch.v1")
            try watch.hello(device: "watch", kind: "watch")
            #expect(try watch.refusal(of: "plans.list")["code"].string == "forbidden")
            // Six a minute; the requests refused above do not count. Of twelve at once some are refused.
            for number in 0..<12 {
                let wish: JSON = ["categories": ["art"], "id": .string("often \(number)")]
                try ada.send("plan.suggest", Self.centre.with(wish))
            }
            try ada.expect("error") { $0.isTooOften }
        }
    }

    @Test("a plan is proposed to a group, answered by its members, shown on a watch, and taken back")
    func proposal() async throws {
        try await ServerFixture.openWithPlaces { fixture in
            let (people, group) = try fixture.friends("Ada", "Bo", "Cy")
            let (ada, bo, cy) = (people[0], people[1], people[2])
            let stranger = try fixture.enter(try fixture.signUp("Di"))
            let id = try self.kept(ada)
            let plan: JSON = ["plan": .string(id)]
            let share = plan.with(["group": .string(group)])
            #expect(try stranger.refusal(of: "plan.share", share)["code"].string == "not_member")
            #expect(try bo.refusal(of: "plan.share", share)["code"].string == "not_found")
            let watch = try fixture.connect(bo.account, subprotocol: "muster.watch.v1")
            try watch.hello(device: "watch", kind: "watch")
            try ada.request("plan.share", share)
            for friend in [bo, cy] {
                let received = try friend.expect("plan_proposed")
                #expect(received["plan"].string == id)
                #expect(received["name"].string == "By the sea")
                #expect(received["by"]["name"].string == "Ada")
                #expect(received["groupName"].string == "Sunday climbers")
                #expect(received["places"].count == 2)
            }
            try watch.expect("glance", within: 30_000) { glance in
                glance["notifications"].elements.contains { $0["text"].string == "Ada proposes By the sea" }
            }
            try ada.request("plan.share", share)
            try bo.catchUp()
            #expect(bo.unreadFrames("plan_proposed").isEmpty, "sharing it again tells nobody")

            let seen = try bo.request("plans.list", ["group": .string(group)])["plans"][0]
            #expect(seen["origin"].isNull && seen["startsAt"].isNull && seen["stops"][0]["leg"].isNull)
            #expect(seen["distance"].double == seen["stops"][1]["leg"]["distance"].double)
            let own = try ada.request("plan.get", plan)["plan"]
            #expect(own["origin"]["lat"].double == 60.17)
            #expect((own["distance"].double ?? 0) > (seen["distance"].double ?? 0))
            #expect(try bo.refusal(of: "plan.delete", plan)["code"].string == "forbidden")
            #expect(try stranger.refusal(of: "plan.get", plan)["code"].string == "not_found")
            #expect(
                try stranger.refusal(of: "plan.answer", share.with(["answer": "in"]))["code"].string == "not_member"
            )

            let answers = try bo.request("plan.answer", share.with(["answer": "in"]))["answers"]
            #expect(answers["in"].int == 1)
            #expect(try ada.expect("plan_changed")["answers"]["in"].int == 1)
            try cy.request("plan.answer", share.with(["answer": "out"]))
            #expect(try ada.expect("plan_changed")["answers"]["out"].int == 1)
            // A member's reply is deleted when they leave, are removed, or delete their account. The remaining members
            // are notified.
            for way in ["left", "removed", "deleted"] {
                let di = try fixture.enter(try fixture.signUp("Di"))
                try di.join(try ada.invite(to: group))
                try di.request("plan.answer", share.with(["answer": "in"]))
                #expect(try ada.expect("plan_changed")["answers"]["in"].int == 2)
                switch way {
                case "left": try di.request("group.leave", ["group": .string(group)])
                case "removed":
                    try ada.request("group.remove", ["group": .string(group), "user": .string(di.account.id)])
                case _: #expect(try fixture.http("DELETE", "/v1/me", token: di.account.token).status == 204)
                }
                let changed = try ada.expect("plan_changed")
                #expect(changed["plan"].string == id && changed["group"].string == group, "\(way)")
                #expect(changed["answers"]["in"].int == 1 && changed["answers"]["out"].int == 1, "\(way)")
            }
            #expect(try bo.request("plan.get", plan)["plan"]["shares"][0]["answer"].string == "in")

            // Bo has seen it; Cy has not on any device.
            let tablet = try fixture.enter(cy.account, device: "tablet")
            try tablet.expect("plan_proposed")
            try ada.request("plan.unshare", share)
            for client in [bo, cy, ada] {
                #expect(try client.expect("plan_gone")["plan"].string == id)
            }
            #expect(try tablet.expect("seen")["notifications"].elements.map(\.int) == [1])
            #expect(try bo.refusal(of: "plan.get", plan)["code"].string == "not_found")
            try watch.expect("glance", within: 30_000) { $0["notifications"].count == 0 }
            // An account's plans are deleted with it.
            try ada.request("plan.share", share)
            try cy.expect("plan_proposed")
            #expect(try fixture.http("DELETE", "/v1/me", token: ada.account.token).status == 204)
            #expect(try cy.expect("plan_gone")["plan"].string == id)
            #expect(try fixture.count(of: "muster.plan_share") == 0)
        }
    }

    @Test("a proposal that was stored before a kill -9 is told to everybody, once")
    func crash() async throws {
        try await ServerFixture.openWithPlaces { fixture in
            let (people, group) = try fixture.friends("Ada", "Bo", "Cy")
            let id = try self.kept(people[0])
            // The transaction runs outside the server, without notice to it.
            try fixture.query(
                """
                WITH shared AS (
                    INSERT INTO muster.plan_share (plan_id, group_id, user_id, body, shared_at)
                    SELECT id, $2, user_id, body - 'origin' - 'startsAt' #- '{stops,0,leg}', now() FROM muster.plan WHERE id = $1
                    RETURNING user_id
                )
                SELECT given FROM shared, muster.notify(ARRAY[$3, $4], '{plan_proposed,plan_proposed}', ARRAY[$2, $2],
                    ARRAY[user_id, user_id], ARRAY[$5, $5], ARRAY[date_trunc('milliseconds', now()), date_trunc('milliseconds', now())],
                    array_fill(jsonb_build_object('plan', $1::text, 'name', 'By the sea',
                        'by', jsonb_build_object('id', user_id::text, 'name', 'Ada'), 'places', jsonb_build_array('A', 'B')), ARRAY[2]))
                """,
                [.id(id), .id(group), .id(people[1].account.id), .id(people[2].account.id), .text("\(id):\(group)")]
            )
            try fixture.crash()
            for person in people.dropFirst() {
                let again = try fixture.enter(person.account)
                #expect(try again.expect("plan_proposed")["plan"].string == id)
                let other = try fixture.enter(person.account, device: "other")
                try other.expect("plan_proposed")
                try other.catchUp()
                #expect(other.unreadFrames("plan_proposed").isEmpty)
            }
            let ada = try fixture.enter(people[0].account)
            try ada.request("plan.share", ["plan": .string(id), "group": .string(group)])
            try ada.catchUp()
            #expect(try fixture.count(of: "muster.notification") == 2, "a client that asks again tells nobody anew")
        }
    }

    @Test("what plan.share commits survives a kill -9 at once")
    func shareAndCrash() async throws {
        try await ServerFixture.openWithPlaces { fixture in
            let (people, group) = try fixture.friends("Ada", "Bo")
            let id = try self.kept(people[0])
            try people[0].send("plan.share", ["plan": .string(id), "group": .string(group), "id": 900])
            #expect(try eventually { try fixture.count(of: "muster.plan_share") == 1 })
            try fixture.crash()
            let bo = try fixture.enter(people[1].account)
            #expect(try bo.expect("plan_proposed")["plan"].string == id)
            try bo.catchUp()
            #expect(bo.unreadFrames("plan_proposed").isEmpty)
            #expect(try fixture.count(of: "muster.notification") == 1)
        }
    }
}
