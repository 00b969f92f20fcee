import EventLoop
import MusterTestSupport
import Postgres
import Testing

@testable import MusterWire

@Suite("Events", .blocking)
struct EventTests {
    private static let hour: Int64 = 3_600_000

    /// An event for tomorrow near a point.
    private static func draft(
        _ key: String,
        _ more: JSON = [:],
        at place: (Double, Double) = (48.2082, 16.3738)
    ) -> JSON {
        ([
            "key": .string(key), "title": "Climbing at six", "lat": .number(place.0), "lon": .number(place.1),
            "startsAt": .now(plus: 24 * Self.hour), "tz": "Europe/Vienna",
        ] as JSON).with(more)
    }

    private static let vienna: JSON = ["bbox": [16.2, 48.1, 16.5, 48.3]]

    @Test("an event that one makes appears where another's map is, changes there, and vanishes when it is called off")
    func story() async throws {
        try await ServerFixture.open { fixture in
            let ada = try fixture.enter(try fixture.signUp("Ada"))
            let bo = try fixture.enter(try fixture.signUp("Bo"))
            let watch = try bo.request("events.watch", Self.vienna)
            #expect(watch["total"].int == 0 && watch["more"].bool == false)
            let draft = Self.draft(
                "a",
                ["visibility": "public", "capacity": 1, "place": "The wall", "hidePlace": true]
            )
            let event = try ada.request("event.create", draft)["event"]
            let id = event["id"].string ?? ""
            #expect(event["state"].string == "planned" && event["place"].string == "The wall")
            #expect(event["endsAt"].int == (event["startsAt"].int ?? 0) + 2 * Self.hour)
            #expect(try ada.request("event.create", draft)["event"]["id"].string == id, "once for a key")
            let shown = try bo.expect("events")
            #expect(shown["watch"].string == watch["watch"].string)
            let put = shown["put"][0]
            #expect(put["id"].string == id && put["approximate"].bool == true && put["place"].isNull)
            #expect(put["lat"].double == 48.21 && put["lon"].double == 16.37)
            #expect(!shown.text.contains("rsvp"))

            let mine = try bo.request("event.rsvp", ["event": .string(id), "rsvp": "yes"])["event"]
            #expect(mine["rsvp"].string == "yes" && mine["lat"].double == 48.2082 && mine["approximate"].bool == false)
            #expect(try ada.expect("event") { $0["event"]["counts"]["yes"].int == 1 }["event"]["rsvp"].isNull)
            let known = try bo.expect("events") { $0["put"][0]["approximate"].bool == false }
            #expect(known["put"][0]["rsvp"].string == "yes")

            let late = try ada.refusal(of: "event.update", ["event": .string(id), "version": 7, "title": "Later"])
            #expect(late["code"].string == "conflict" && late["event"]["version"].int == 1)
            let moved = try ada.request(
                "event.update",
                ["event": .string(id), "version": 1, "title": "Later", "lat": 10, "lon": 10]
            )["event"]
            #expect(moved["version"].int == 2)
            #expect(try bo.expect("events") { $0["gone"][0].string == id }["put"].elements.isEmpty)
            let received = try bo.expect("event_changed")
            #expect(received["changed"].strings == ["title", "lat", "lon"] && received["title"].string == "Later")

            #expect(try bo.refusal(of: "event.cancel", ["event": .string(id)])["code"].string == "forbidden")
            try ada.request("event.cancel", ["event": .string(id)])
            try bo.expect("event_cancelled")
            #expect(try bo.refusal(of: "event.rsvp", ["event": .string(id), "rsvp": "no"])["code"].string == "gone")
        }
    }

    @Test("bad input names its field and changes nothing; events of others' groups are not found")
    func refusals() async throws {
        try await ServerFixture.open { fixture in
            let (people, group) = try fixture.friends("Ada", "Bo")
            let stranger = try fixture.enter(try fixture.signUp("Cy"))
            let bad: [(text: String, field: String)] = [
                (#""title":"""#, "title"), (#""title":"\u202e""#, "title"), (#""lat":91"#, "lat"),
                (#""lat":"1""#, "lat"),
                (#""capacity":0"#, "capacity"), (#""capacity":1001"#, "capacity"), (#""tz":"Nowhere/Here""#, "tz"),
                (#""endsAt":1"#, "endsAt"), (#""startsAt":253402300799000"#, "startsAt"),
                (#""visibility":"all""#, "visibility"),
                (#""visibility":"group""#, "group"), (#""group":"5""#, "group"), (#""key":"""#, "key"),
                (#""text":"\#(String(repeating: "a", count: 2001))""#, "text"), (#""startsAt":null"#, "startsAt"),
            ]
            // A user may create ten an hour; requests that reach the directory count.
            let makers = [people[0], people[1]]
            for (number, frame) in bad.enumerated() {
                let maker = makers[number % makers.count]
                // If a field appears twice, the first one counts.
                let usual =
                    #""title":"T","lat":1,"lon":2,"startsAt":4102444800000,"tz":"UTC","visibility":"public","key":"k""#
                let text = #"{"type":"event.create","id":"bad \#(number)",\#(frame.text),\#(usual)}"#
                try maker.sendBroken(text.replacing("4102444800000", with: JSON.now(plus: Self.hour).text))
                let error = try maker.expect("error") { $0["id"].string == "bad \(number)" }
                #expect(error["code"].string == "bad_request" && error["field"].string == frame.field, "\(text)")
                #expect(try fixture.count(of: "muster.event") == 0)
            }
            let wrong: [(text: String, field: String)] = [
                (#""bbox":[1,2,3]"#, "bbox"), (#""bbox":[1,9,3,2]"#, "bbox"), (#""bbox":[1,NaN,3,2]"#, ""),
                (#""center":"me","radius":499"#, "radius"), (#""center":"you","radius":500"#, "center"),
                ("\"q\":\"a\"", "bbox"),
                (#""center":"me","radius":500,"bbox":[1,2,3,4]"#, "bbox"), (#""center":"me","radius":500"#, "center"),
            ]
            for (number, frame) in wrong.enumerated() {
                try people[0].sendBroken(#"{"type":"events.watch","id":"wrong \#(number)",\#(frame.text)}"#)
                guard !frame.field.isEmpty else {
                    try people[0].expect("error") { $0["code"].string == "bad_json" }
                    continue
                }
                let error = try people[0].expect("error") { $0["id"].string == "wrong \(number)" }
                #expect(error["code"].string == "bad_request" && error["field"].string == frame.field)
            }
            let own = Self.draft("g", ["visibility": "group", "group": .string(group)])
            let event = try people[0].request("event.create", own)["event"]["id"].string ?? ""
            for (type, more) in [
                ("event.get", [:]), ("event.rsvp", ["rsvp": "yes"]), ("event.guests", ["limit": 5]),
                ("event.cancel", [:]),
                ("event.remove", ["user": .string(people[1].account.id)]), ("event.update", ["version": 1]),
            ] as [(String, JSON)] {
                let refusal = try stranger.refusal(of: type, (["event": .string(event)] as JSON).with(more))
                #expect(refusal["code"].string == "not_found", "\(type)")
            }
            #expect(try stranger.refusal(of: "event.create", own)["code"].string == "not_member")
            let watched = Self.vienna.with(["group": .string(group)])
            #expect(try stranger.refusal(of: "events.watch", watched)["code"].string == "not_member")
            #expect(try people[1].request("events.watch", watched)["total"].int == 1)
            #expect(try stranger.request("events.watch", Self.vienna)["total"].int == 0)
            #expect(try people[1].request("events.watch", Self.vienna)["total"].int == 1)
            // A member who leaves the group receives no more changes and is no guest.
            try people[1].request("event.rsvp", ["event": .string(event), "rsvp": "yes"])
            try people[1].request("group.leave", ["group": .string(group)])
            try people[1].expect("events") { $0["gone"][0].string == event }
            let left = try people[0].expect("event") {
                $0["event"]["counts"]["yes"].int == 0 && $0["event"]["version"].int == 1
            }
            #expect(left["event"]["id"].string == event)
        }
    }

    @Test("who may not change an event uses up nobody's changes; the host has twenty an hour")
    func changesPerHour() async throws {
        try await ServerFixture.open { fixture in
            let ada = try fixture.enter(try fixture.signUp("Ada"))
            let bo = try fixture.enter(try fixture.signUp("Bo"))
            let event =
                try ada.request("event.create", Self.draft("a", ["visibility": "public"]))["event"]["id"].string ?? ""
            func update(_ version: Int64) -> JSON {
                ["event": .string(event), "version": .integer(version), "text": .string("\(version)")]
            }
            for _ in 0..<25 {
                #expect(try bo.refusal(of: "event.update", update(1))["code"].string == "forbidden")
            }
            let answers = try repeatUntilRefused(most: 30, where: \.isTooOften) { number in
                try ada.send("event.update", update(Int64(number + 1)).with(["id": .string("update \(number)")]))
                return try ada.answer(tagged: "update \(number)")
            }
            #expect(answers.count > 20)
            let versions = answers.dropLast().map { $0["event"]["version"].int }
            #expect(versions == (2...Int64(answers.count)).map { $0 })
            let late = try #require(answers.last)
            #expect(late.isTooOften && (late["retryAfter"].int ?? 0) > 0)
        }
    }

    @Test("an event that is over keeps its room when the change feed's connection is lost; one that is gone loses it")
    func lostFeed() async throws {
        try await ServerFixture.open { fixture in try Self.loseFeed(of: fixture) }
    }

    private static func loseFeed(of fixture: ServerFixture) throws {
        let ada = try fixture.enter(try fixture.signUp("Ada"), resume: ["rooms": [:]])
        let bo = try fixture.enter(try fixture.signUp("Bo"), resume: ["rooms": [:]])
        let over = try Self.room("a", of: ada, with: bo)
        let gone = try Self.room("b", of: ada, with: bo)
        try fixture.query(
            "UPDATE muster.event SET starts_at = now() - interval '2 hours', ends_at = now() - interval '1 second' WHERE id = $1",
            [.id(over)]
        )
        try bo.expect("event") { $0["event"]["state"].string == "over" }
        try fixture.silenceFeed()
        try fixture.query("DELETE FROM muster.event WHERE id = $1", [.id(gone)])
        try fixture.admitFeed()
        try bo.expect("rooms") { $0["rooms"][0]["gone"].bool == true }
        try bo.catchUp()
        let lost = bo.received.filter { $0.type == "rooms" && $0["rooms"][0]["gone"].bool == true }
        #expect(lost.map { $0["rooms"][0]["room"].string } == [gone])
        try ada.request("chat.send", ["room": .string(over), "key": "k", "text": "It was good"])
        try bo.expect("chat") { $0["messages"][0]["text"].string == "It was good" }
    }

    /// The room of a new event of `host`, with `guest` as a second member.
    private static func room(_ key: String, of host: TestClient, with guest: TestClient) throws -> String {
        let event = try host.request("event.create", Self.draft(key, ["visibility": "public"]))["event"]
        let room = event["id"].string ?? ""
        try guest.request("event.rsvp", ["event": .string(room), "rsvp": "maybe"])
        try guest.expect("rooms") { $0["rooms"][0]["room"].string == room }
        return room
    }

    @Test("a place that gets free reaches who waits, also when the server dies between the change and the push")
    func crash() async throws {
        try await ServerFixture.open { fixture in
            let ada = try fixture.enter(try fixture.signUp("Ada"))
            let bo = try fixture.enter(try fixture.signUp("Bo"))
            let cy = try fixture.enter(try fixture.signUp("Cy"))
            let di = try fixture.enter(try fixture.signUp("Di"))
            let event: JSON = .string(
                try ada.request("event.create", Self.draft("a", ["visibility": "public", "capacity": 1]))["event"]["id"]
                    .string ?? ""
            )
            try bo.request("event.rsvp", ["event": event, "rsvp": "yes"])
            let waiting = try cy.request("event.rsvp", ["event": event, "rsvp": "yes"])["event"]
            #expect(waiting["rsvp"].string == "waiting" && waiting["waitingPlace"].int == 1)
            let next = try di.request("event.rsvp", ["event": event, "rsvp": "yes"])["event"]
            #expect(next["waitingPlace"].int == 2)
            // Bo's account is deleted in SQL, and the change feed reports it.
            try fixture.query("DELETE FROM muster.account WHERE id = $1", [.id(bo.account.id)])
            #expect(try cy.expect("event_place")["event"].string != nil)
            try cy.expect("event") { $0["event"]["rsvp"].string == "yes" }

            // A change that was committed as the server died is sent once, after the next `hello`.
            fixture.server.kill()
            try fixture.query("DELETE FROM muster.event_guest WHERE user_id = $1", [.id(cy.account.id)])
            try fixture.restart()
            let back = try fixture.enter(di.account)
            let received = try back.expect("event_place")
            try back.send("seen", ["upTo": .integer(received["notification"].int ?? 0)])
            try back.catchUp()
            #expect(back.received.count { $0.type == "event_place" } == 1)
            #expect(try back.request("events.mine", ["limit": 10])["events"][0]["rsvp"].string == "yes")
        }
    }

    @Test(
        "events are on everybody's map and in calendars, where a hidden place stays hidden; an account takes its events along"
    )
    func calendars() async throws {
        try await ServerFixture.open { fixture in
            let ada = try fixture.enter(try fixture.signUp("Ada"))
            let bo = try fixture.enter(try fixture.signUp("Bo"))
            let more: JSON = [
                "visibility": "public", "hidePlace": true, "place": "Behind the mill; left, \\ down",
                "text": "One\nTwo",
            ]
            let event = try ada.request("event.create", Self.draft("a", more))["event"]["id"].string ?? ""
            func features() throws -> [JSONValue] {
                try fixture.http("GET", "/v1/tiles/events/0/0/0.json").json?["features"].elements ?? []
            }
            #expect(try eventually { try features().count == 1 })
            let properties = try features()[0]["properties"]
            #expect(properties["id"].string == event && properties["approximate"].bool == true)
            #expect(properties["title"].string == "Climbing at six" && properties["category"].isNull)
            #expect((properties["startsAt"].int ?? 0) > 0)

            try bo.request("event.rsvp", ["event": .string(event), "rsvp": "maybe"])
            func calendar(_ person: TestClient) throws -> String {
                let address = try person.request("events.mine", ["limit": 1])["calendar"].string ?? ""
                return String(address.drop { $0 != "?" })
            }
            let (own, others) = (try calendar(ada), try calendar(bo))
            let file = try fixture.http("GET", "/v1/events/\(event).ics\(own)")
            #expect(file.headers["content-type"] == "text/calendar; charset=utf-8")
            #expect(file.text.contains("\r\nLOCATION:Behind the mill\\; left\\, \\\\ down\r\n"))
            #expect(file.text.contains("\r\nGEO:48.2082;16.3738\r\n") && file.text.contains("DESCRIPTION:One\\nTwo"))
            let foreign = try fixture.http("GET", "/v1/me/events.ics\(others)").text
            #expect(foreign.contains("\r\nGEO:48.21;16.37\r\n") && !foreign.contains("mill"))
            #expect(foreign.contains("STATUS:TENTATIVE") && foreign.contains("SEQUENCE:1"))
            #expect(try fixture.http("GET", "/v1/events/\(event).ics").status == 404)
            #expect(try fixture.http("POST", "/v1/me/calendar", rawBody: "").status == 401)
            let renewed = try fixture.http("POST", "/v1/me/calendar", token: bo.account.token, rawBody: "").json
            #expect(renewed?["calendar"].string?.hasSuffix(try calendar(bo)) == true)
            #expect(try fixture.http("GET", "/v1/me/events.ics\(others)").status == 404)

            #expect(try fixture.http("DELETE", "/v1/me", token: ada.account.token).status == 204)
            try bo.expect("event_cancelled")
            #expect(try eventually { try features().isEmpty })
            #expect(try bo.request("events.mine", ["limit": 1])["events"].elements.isEmpty)
        }
    }
}
