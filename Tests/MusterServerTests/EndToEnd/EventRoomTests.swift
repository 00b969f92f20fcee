import MusterTestSupport
import Postgres
import Testing

@testable import MusterWire

@Suite("Chat in events", .blocking)
struct EventRoomTests {
    private static let day: Int64 = 86_400_000
    /// A client's copy of a room from another epoch.
    private static let held: JSON = ["epoch": "x", "version": 1, "read": 0]

    /// Creates an event for tomorrow, and waits for its room if the host's client supports rooms.
    private static func make(_ host: TestClient, _ more: JSON = [:], for group: String? = nil) throws -> String {
        let draft: JSON = [
            "key": "e", "title": "Climbing", "lat": 48.2082, "lon": 16.3738, "startsAt": .now(plus: self.day),
            "tz": "Europe/Vienna",
        ]
        let audience: JSON =
            if let group { ["visibility": "group", "group": .string(group)] } else { ["visibility": "public"] }
        return try #require(try host.request("event.create", draft.with(audience).with(more))["event"]["id"].string)
    }

    private static func enter(_ name: String, _ fixture: ServerFixture) throws -> TestClient {
        try fixture.enter(try fixture.signUp(name), resume: ["rooms": [:]])
    }

    private static func isTaken(_ room: String, from client: TestClient) throws {
        try client.expect("rooms") {
            $0["rooms"].elements.contains { $0["room"].string == room && $0["gone"].bool == true }
        }
    }

    private static func send(_ text: JSON, _ key: JSON, in room: String, _ more: JSON = [:]) -> JSON {
        (["room": .string(room), "key": key, "text": text] as JSON).with(more)
    }

    private static func status(_ client: TestClient, of room: String) throws -> JSONValue {
        let isIt = { (status: JSONValue) in status["room"].string == room }
        let frame = try client.expect("rooms") { $0["rooms"].elements.contains(where: isIt) }
        return try #require(frame["rooms"].elements.first(where: isIt))
    }

    @Test("guests talk in an event's room, read what was said before, and are out of it when they say no")
    func story() async throws {
        try await ServerFixture.open { fixture in
            let (ada, bo) = (try Self.enter("Ada", fixture), try Self.enter("Bo", fixture))
            let deaf = try fixture.enter(bo.account, device: "old")
            let event = try Self.make(ada, ["capacity": 1])
            #expect(try Self.status(ada, of: event)["event"]["title"].string == "Climbing")
            try ada.request("chat.send", Self.send("Who brings a rope?", "a", in: event))
            try ada.expect("chat")
            try bo.request("event.rsvp", ["event": .string(event), "rsvp": "yes"])
            let room = try Self.status(bo, of: event)
            #expect(room["first"].int == 1 && room["unread"].int == 0)
            #expect(room["event"]["host"].string == ada.account.id)
            #expect(room["last"]["text"].string == "Who brings a rope?")
            let history = try bo.request("chat.history", ["room": .string(event)])["messages"]
            #expect(history.elements.map { $0["text"].string } == ["Who brings a rope?"])

            let mention: JSON = ["mentions": [.string(ada.account.id)], "replyTo": 1]
            let sent = try bo.request("chat.send", Self.send("I do", "b", in: event, mention))["message"]
            #expect(try ada.expect("chat")["messages"][0]["text"].string == "I do")
            let received = try ada.expect("mention")
            #expect(
                received["title"].string == "Climbing" && received["event"].string == event
                    && received["group"].string == nil
            )
            #expect(try ada.request("chat.read", ["room": .string(event), "seq": 2])["unread"].int == 0)
            try ada.expect("seen")
            try ada.request("chat.focus", ["room": .string(event)])
            try bo.request("chat.typing", ["room": .string(event)])
            #expect(try ada.expect("typing")["users"].strings == [bo.account.id])
            let slow: JSON = ["room": .string(event), "slow": 60]
            #expect(try bo.refusal(of: "room.set", slow)["code"].string == "forbidden")
            try ada.request("room.set", slow)
            #expect(try Self.status(bo, of: event)["slow"].int == 60)
            try ada.request("room.set", ["room": .string(event), "slow": 0])
            try ada.request("chat.delete", ["room": .string(event), "seq": .integer(sent["seq"].int ?? 0)])
            try bo.expect("chat") { $0["messages"][0]["deleted"].bool == true }

            let update: JSON = ["event": .string(event), "version": 1, "title": "Bouldering"]
            try ada.request("event.update", update)
            let changed = try bo.expect("chat") { $0["messages"][0]["kind"].string == "system" }["messages"][0]["data"]
            #expect(changed["event"].string == "event_changed" && changed["title"].string == "Bouldering")

            let picture: JSON = [
                "room": .string(event), "key": "p", "photo": .string(try fixture.photo(by: bo.account)),
            ]
            try bo.request("chat.send", picture)
            let shown = try ada.expect("chat") { $0["messages"][0]["kind"].string == "photo" }["messages"][0]["photo"]
            #expect(shown["width"].int == 40)

            // A copy from before a crash.
            try fixture.crash()
            let again = try fixture.enter(
                bo.account,
                resume: ["rooms": .object([(key: event, value: Self.held)])]
            )
            #expect(try Self.status(again, of: event)["event"]["title"].string == "Bouldering")
            let host = try fixture.enter(ada.account, resume: ["rooms": [:]])
            _ = try Self.status(host, of: event)
            try again.request("event.rsvp", ["event": .string(event), "rsvp": "no"])
            try Self.isTaken(event, from: again)
            let last = try host.request("chat.send", Self.send("Without you", "z", in: event))["message"]["version"].int
            try host.expect("chat") { $0["upTo"].int == last }
            try again.catchUp()
            #expect(!again.received.contains { $0.text.contains("Without you") })
            #expect(
                deaf.received.allSatisfy { !["chat", "rooms", "chat_gap", "typing", "chat_read"].contains($0.type) }
            )

            // A resume that names a room which the user has left removes it. A guest who returns reads the whole room.
            let third = try fixture.enter(
                bo.account,
                resume: ["rooms": .object([(key: event, value: Self.held)])]
            )
            try Self.isTaken(event, from: third)
            try third.request("event.rsvp", ["event": .string(event), "rsvp": "maybe"])
            _ = try Self.status(third, of: event)
            try host.request("event.remove", ["event": .string(event), "user": .string(bo.account.id)])
            try Self.isTaken(event, from: third)
            try host.request("event.cancel", ["event": .string(event)])
            try host.expect("chat") { $0["messages"][0]["data"]["event"].string == "event_cancelled" }
            #expect(try fixture.http("DELETE", "/v1/me", token: ada.account.token).status == 204)
            #expect(try fixture.count(of: "muster.room") == 0)
            #expect(try fixture.count(of: "muster.photo_use") == 0)
        }
    }

    @Test(
        "who is no guest, said no or was removed is not in the room, whatever they ask; who is blocked is not told of"
    )
    func strangers() async throws {
        try await ServerFixture.open { fixture in
            let ada = try Self.enter("Ada", fixture)
            let event = try Self.make(ada)
            _ = try Self.status(ada, of: event)
            let (stranger, no, removed) = (
                try Self.enter("Eve", fixture), try Self.enter("Flo", fixture), try Self.enter("Gus", fixture)
            )
            let blocked = try Self.enter("Hal", fixture)
            for (guest, word) in [(no, "no"), (removed, "yes"), (blocked, "maybe")] as [(TestClient, JSON)] {
                try guest.request("event.rsvp", ["event": .string(event), "rsvp": word])
            }
            try ada.request("event.remove", ["event": .string(event), "user": .string(removed.account.id)])
            try ada.request("chat.send", Self.send("First", "a", in: event))
            let requests: [(String, JSON)] = [
                ("chat.send", Self.send("x", "x", in: event)), ("chat.history", ["room": .string(event)]),
                ("chat.edit", ["room": .string(event), "seq": 1, "text": "x"]),
                ("chat.delete", ["room": .string(event), "seq": 1]),
                ("chat.changes", ["room": .string(event), "epoch": "e", "after": 0]),
                ("chat.read", ["room": .string(event), "seq": 1]),
                ("room.set", ["room": .string(event), "muted": "all"]),
                ("room.set", ["room": .string(event), "slow": 5]),
                ("group.wait", ["group": .string(event), "key": "k"]), ("chat.focus", ["room": .string(event)]),
                ("chat.typing", ["room": .string(event)]),
            ]
            for person in [stranger, no, removed] {
                for (type, fields) in requests {
                    #expect(try person.refusal(of: type, fields)["code"].string == "not_member", "\(type)")
                }
                let report: JSON = ["what": "message", "subject": "1", "room": .string(event), "reason": "x"]
                #expect(try person.refusal(of: "report", report)["code"].string == "not_found")
            }
            let calls: JSON = ["mentions": [.string(stranger.account.id)]]
            #expect(
                try ada.refusal(of: "chat.send", Self.send("x", "y", in: event, calls))["field"].string == "mentions"
            )

            try ada.request("user.block", ["user": .string(blocked.account.id)])
            let call: JSON = ["mentions": [.string(ada.account.id)]]
            let sent = try blocked.request("chat.send", Self.send("Ada?", "m", in: event, call))["message"]
            #expect(sent["mentions"].strings == [ada.account.id], "they get the same answer")
            try ada.expect("chat") { $0["messages"][0]["text"].string == "Ada?" }
            #expect(try ada.request("chat.read", ["room": .string(event), "seq": 1])["unread"].int == 0)
            // Later pushes of the room follow it.
            try ada.request("chat.focus", ["room": .string(event)])
            try blocked.request("chat.typing", ["room": .string(event)])
            try ada.expect("typing")
            let received = try eventually {
                try fixture.count(
                    of:
                        "muster.room_told t JOIN muster.room r ON r.id = t.room_id WHERE t.version = r.version AND r.id = $1",
                    [.id(event)]
                ) == 1
            }
            #expect(received)
            #expect(try fixture.count(of: "muster.notification WHERE kind = 'mention'") == 0)
            #expect(
                try ada.request("chat.delete", ["room": .string(event), "seq": 2])["message"]["deleted"].bool == true
            )
            for person in [stranger, no, removed] {
                try person.catchUp()
                #expect(!person.received.contains { ["chat", "typing"].contains($0.type) })
            }
        }
    }

    @Test("a group hears of its events in its room, and who leaves it loses theirs")
    func groups() async throws {
        try await ServerFixture.open { fixture in
            let (people, group) = try fixture.friends("Ada", "Bo")
            let ada = try fixture.enter(people[0].account, device: "b", resume: ["rooms": [:]])
            let bo = try fixture.enter(people[1].account, device: "b", resume: ["rooms": [:]])
            for each in [ada, bo] { _ = try Self.status(each, of: group) }
            let event = try Self.make(ada, for: group)
            let made = try bo.expect("chat")
            #expect(made["room"].string == group)
            #expect(made["messages"][0]["data"]["event"].string == "event_made")
            #expect(made["messages"][0]["data"]["id"].string == event)
            #expect(made["messages"][0]["from"]["name"].string == "Ada")
            try bo.request("event.rsvp", ["event": .string(event), "rsvp": "maybe"])
            _ = try Self.status(bo, of: event)
            try bo.request("group.leave", ["group": .string(group)])
            for room in [group, event] { try Self.isTaken(room, from: bo) }
            try ada.request("chat.send", Self.send("Without you", "z", in: event))
            try ada.request("event.cancel", ["event": .string(event)])
            let said = Set(
                try (0..<2).map { _ in
                    try ada.expect("chat") {
                        $0["messages"].elements.last?["data"]["event"].string == "event_cancelled"
                    }[
                        "room"
                    ].string
                }
            )
            #expect(said == [group, event])
            try bo.catchUp()
            #expect(!bo.received.contains { $0.text.contains("Without you") })
        }
    }

    @Test("a newcomer of a group sees no older message, edited or not, whatever they ask")
    func newcomers() async throws {
        try await ServerFixture.open { fixture in
            let (people, group) = try fixture.friends("Ada", "Bo")
            let ada = try fixture.enter(people[0].account, device: "b", resume: ["rooms": [:]])
            _ = try Self.status(ada, of: group)
            let old = try ada.request("chat.send", Self.send("Our secret", "a", in: group))["message"]["seq"].int ?? 0
            let cy = try Self.enter("Cy", fixture)
            try cy.join(try people[0].invite(to: group))
            let room = try Self.status(cy, of: group)
            #expect((room["first"].int ?? 0) > old && room["last"].isNull)
            let fields: JSON = ["room": .string(group), "seq": .integer(old)]
            try ada.request("chat.edit", fields.with(["text": "Our edited secret"]))
            let sent = try ada.request("chat.send", Self.send("Hello Cy", "b", in: group))["message"]["version"].int
            try cy.waitUntil("the new message") { cy.received.contains { $0.type == "chat" && $0["upTo"].int == sent } }
            for span: JSON in [["before": .integer(old + 1)], ["after": 0], ["around": .integer(old)], [:]] {
                let page = try cy.request("chat.history", (["room": .string(group)] as JSON).with(span))
                #expect(page["messages"].elements.allSatisfy { ($0["seq"].int ?? 0) > old })
            }
            let changes: JSON = ["room": .string(group), "epoch": .string(room["epoch"].string ?? ""), "after": 0]
            #expect(
                try cy.request("chat.changes", changes)["messages"].elements.allSatisfy { ($0["seq"].int ?? 0) > old }
            )
            let answer = Self.send("What?", "c", in: group, ["replyTo": .integer(old)])
            #expect(try cy.refusal(of: "chat.send", answer)["field"].string == "replyTo")
            for type in ["chat.edit", "chat.delete"] {
                let refusal = try cy.refusal(of: type, type == "chat.edit" ? fields.with(["text": "x"]) : fields)
                #expect(refusal["code"].string == "not_found")
            }
            // The same if they resume from a version before it.
            let held: JSON = ["epoch": .string(room["epoch"].string ?? ""), "version": 1, "read": 0]
            let again = try fixture.enter(cy.account, resume: ["rooms": .object([(key: group, value: held)])])
            try again.waitUntil("what was missed") { again.received.contains { $0.type == "chat" } }
            for client in [cy, again] { #expect(!client.received.contains { $0.text.contains("secret") }) }
        }
    }

    @Test("a thousand watches of events a second are metered, and nobody else is kept waiting")
    func watchRate() async throws {
        try await ServerFixture.open { fixture in
            let (ada, bo) = (try Self.enter("Ada", fixture), try Self.enter("Bo", fixture))
            for number in 0..<1000 {
                let west = JSON.number(16 + Double(number % 100) / 1000)
                try bo.send("events.watch", ["bbox": [west, 48, 17, 49], "id": .integer(Int64(10_000 + number))])
            }
            let event = try Self.make(ada)
            try bo.catchUp()
            var answers: [Frame] { bo.received.filter { ($0["id"].int ?? 0) >= 10_000 } }
            // The server refuses excess requests at once, and may answer the others after the ping.
            try bo.waitUntil("an answer to each") { answers.count >= 1000 }
            #expect(answers.count == 1000)
            let refused = answers.filter { $0.type == "error" }
            #expect((800..<1000).contains(refused.count))
            #expect(refused.allSatisfy { $0.isTooOften && ($0["retryAfter"].int ?? 0) > 0 })
            // The last subscription is in force.
            try bo.waitUntil("the event") {
                bo.received.contains { $0.type == "events" && $0["put"].elements.contains { $0["id"].string == event } }
            }
        }
    }
}
