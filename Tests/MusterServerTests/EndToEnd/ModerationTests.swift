import Foundation
import MusterTestSupport
import Postgres
import Testing

@testable import MusterClient
@testable import MusterWire

@Suite("Moderation", .blocking)
struct ModerationTests {
    /// Runs `muster moderate` on a town's database.
    private static func moderate(
        _ fixture: ServerFixture,
        _ arguments: String...
    ) throws -> (status: Int32, output: String, log: String) {
        try MusterProcess.run(["moderate"] + arguments + ["--database-url", fixture.database])
    }

    /// Takes an item down and expects success.
    private static func takeDown(_ fixture: ServerFixture, _ arguments: String...) throws {
        let run = try MusterProcess.run(["moderate", "take-down"] + arguments + ["--database-url", fixture.database])
        #expect(run.status == 0, "\(run)")
    }

    /// Ada and Bo in one group, both with room support, and the group's room.
    private static func friends(_ fixture: ServerFixture) throws -> (ada: TestClient, bo: TestClient, room: String) {
        let (people, room) = try fixture.friends("Ada", "Bo")
        let both = try people.map { person in
            let again = try fixture.enter(person.account, device: "tablet", resume: ["rooms": [:]])
            try again.expect("rooms") { $0["rooms"][0]["room"].string == room }
            try again.waitUntil("the roster") { again.roster(room).members.count == 2 }
            return again
        }
        return (both[0], both[1], room)
    }

    private static func message(_ key: JSON, _ more: JSON, in room: String) -> JSON {
        (["room": .string(room), "key": key] as JSON).with(more)
    }

    @Test("a reported message is read by the operator, and goes from where people look at it, with its mention")
    func messages() async throws {
        try await ServerFixture.open { fixture in
            let (ada, bo, room) = try Self.friends(fixture)
            let words: JSON = ["text": "You \u{1F469}\u{200D}\u{1F680} are mean", "mentions": [.string(bo.account.id)]]
            let sent = try ada.request("chat.send", Self.message("a", words, in: room))["message"]
            let seq = sent["seq"].int ?? 0
            let mention = try bo.expect("mention")["notification"].int
            try bo.request(
                "report",
                ["what": "message", "subject": .string("\(seq)"), "room": .string(room), "reason": "Not nice"]
            )
            // Text that an earlier version or another program may have accepted.
            try fixture.query("UPDATE muster.report SET text = replace(text, ' are ', E'\\nare\\x1b')")
            let list = try Self.moderate(fixture, "reports")
            #expect(list.status == 0)
            for part in [
                "message \(seq) in room \(room)", "by      Bo (", "about   Ada (", "reason  Not nice",
                "text    You \u{1F469}\u{200D}\u{1F680}⏎are\u{FFFD}mean",
            ] { #expect(list.output.contains(part), "\(list)") }
            let line = try #require(
                JSONSerialization.jsonObject(
                    with: Data(try Self.moderate(fixture, "reports", "--json").output.utf8)
                ) as? [String: Any]
            )
            #expect(line["id"] as? String == "\(seq)" && line["room"] as? String == room)
            #expect((line["about"] as? [String: String])?["id"] == ada.account.id)
            #expect(line["closedAt"] == nil)

            try Self.takeDown(fixture, "message", "\(seq)", "--room", room, "--reason", "insults")
            for person in [ada, bo] {
                let push = try person.expect("chat") { $0["messages"][0]["deleted"].bool == true }
                #expect(push["messages"][0]["seq"].int == seq && push["messages"][0]["text"].isAbsent)
            }
            try bo.expect("seen") { $0["notifications"][0].int == mention }
            #expect(try Self.moderate(fixture, "reports").output.isEmpty)
            #expect(try Self.moderate(fixture, "reports", "--all").output.contains("closed: message"))
            let row = try #require(try fixture.query("SELECT reason, reports FROM ops.take_downs").onlyRow())
            #expect(try row.text("reason") == "insults")
            #expect(try row.int64("reports") == 1)
            let next = try ada.request("chat.send", Self.message("b", ["text": "Sorry"], in: room))["message"]
            #expect(next["seq"].int == seq + 1)
            #expect(next["version"].int == (sent["version"].int ?? 0) + 2, "there is no hole")
        }
    }

    @Test("spots, events and pins go from maps, lists and watches at once; guests hear that it is off, authors nothing")
    func things() async throws {
        try await ServerFixture.open { fixture in
            let ada = try fixture.enter(try fixture.signUp("Ada"))
            let bo = try fixture.enter(try fixture.signUp("Bo"))
            try bo.request("events.watch", ["bbox": [16.2, 48.1, 16.5, 48.3]])
            let place: JSON = ["lat": 48.2082, "lon": 16.3738]
            let spot = try ada.request("spot.add", place.with(["comment": "Bad words"]))["spot"]["id"].string ?? ""
            let pin = try ada.request("pin.post", place.with(["text": "Worse words"]))["pin"]["id"].string ?? ""
            let draft: JSON = [
                "key": "a", "title": "Worst words", "startsAt": .now(plus: 86_400_000), "tz": "UTC",
                "visibility": "public",
            ]
            let event = try ada.request("event.create", place.with(draft))["event"]["id"].string ?? ""
            try bo.expect("events") { $0["put"][0]["id"].string == event }
            try bo.request("event.rsvp", ["event": .string(event), "rsvp": "maybe"])
            try bo.request("report", ["what": "event", "subject": .string(event), "reason": "Words"])
            #expect(try Self.moderate(fixture, "reports").output.contains("text    Worst words\n"))
            let near: JSON = place.with(["radius": 500, "limit": 10])
            #expect(try bo.request("spots.nearby", near)["spots"].count == 1)
            for layer in ["spots", "pins"] {
                try bo.request("tiles.watch", ["layer": .string(layer), "zoom": 9, "bbox": [16.2, 48.1, 16.5, 48.3]])
                try bo.expect("tiles") {
                    $0["layer"].string == layer && $0["tiles"].elements.contains { $0["features"].count == 1 }
                }
            }

            try Self.takeDown(fixture, "spot", spot)
            #expect(try bo.expect("spot_gone")["spot"].string == spot)
            try bo.expect("tiles") {
                $0["layer"].string == "spots" && $0["tiles"].elements.contains { $0["gone"].count == 1 }
            }
            #expect(try bo.request("spots.nearby", near)["spots"].count == 0)
            try Self.takeDown(fixture, "pin", pin)
            try bo.expect("tiles") {
                $0["layer"].string == "pins" && $0["tiles"].elements.contains { $0["gone"].count == 1 }
            }
            #expect(try ada.request("pin.get")["pin"].isNull)
            try Self.takeDown(fixture, "event", event)
            #expect(try bo.expect("events") { $0["gone"].count == 1 }["gone"][0].string == event)
            #expect(try bo.expect("event_cancelled")["event"].string == event)
            #expect(try bo.refusal(of: "event.get", ["event": .string(event)])["code"].string == "not_found")
            try ada.catchUp()
            #expect(!ada.received.contains { $0.type == "event_cancelled" })
            #expect(try fixture.count(of: "muster.report WHERE closed_at IS NULL") == 0)
        }
    }

    @Test("a photo goes from wherever it is shown: with its message, and from a spot, an event and a face")
    func photos() async throws {
        try await ServerFixture.open { fixture in
            let (ada, bo, room) = try Self.friends(fixture)
            let place: JSON = ["lat": 48.2082, "lon": 16.3738]
            let inMessage = try fixture.photo(by: ada.account)
            let message = try ada.request(
                "chat.send",
                Self.message("a", ["photo": .string(inMessage), "text": "Look"], in: room)
            )["message"]
            let file = message["photo"]["url"].string ?? ""
            let inSpot = try fixture.photo(by: ada.account)
            let spot = try ada.request(
                "spot.add",
                place.with(["comment": "Here", "photo": .string(inSpot)])
            )["spot"]
            let inEvent = try fixture.photo(by: ada.account)
            let draft: JSON = [
                "key": "a", "title": "T", "startsAt": .now(plus: 86_400_000), "tz": "UTC", "visibility": "public",
                "photo": .string(inEvent),
            ]
            let event = try ada.request("event.create", place.with(draft))["event"]
            let face = try fixture.photo(by: ada.account, use: "avatar")
            let body: JSON = ["avatar": .string(face)]
            #expect(try fixture.http("PATCH", "/v1/me", token: ada.account.token, body: body).status == 200)
            try bo.waitUntil("the face") { bo.roster(room)[ada.account.id]["avatar"]?.string != nil }
            try bo.request("events.watch", ["bbox": [16.2, 48.1, 16.5, 48.3]])
            try bo.request("report", ["what": "photo", "subject": .string(inMessage), "reason": "No"])
            #expect(try Self.moderate(fixture, "reports").output.contains("photo   \(file)"))
            #expect(try fixture.file(file).status == 200)

            for photo in [inMessage, inSpot, inEvent, face] { try Self.takeDown(fixture, "photo", photo) }
            let deleted = try bo.expect("chat") { $0["messages"][0]["deleted"].bool == true }["messages"][0]
            #expect(deleted["seq"].int == message["seq"].int)
            try bo.expect("events") { $0["put"][0]["id"].string == event["id"].string && $0["put"][0]["photo"].isNull }
            try bo.waitUntil("no face") { bo.roster(room)[ada.account.id]["avatar"]?.string == nil }
            let shown = try bo.request("spots.nearby", place.with(["radius": 5, "limit": 1]))["spots"][0]
            #expect(shown["id"].string == spot["id"].string && shown["photo"].isNull)
            #expect(
                try eventually {
                    let map = try fixture.http("GET", "/v1/tiles/spots/0/0/0.json").json?["features"]
                    return map?.count == 1 && map?[0]["properties"]["thumb"].string == nil
                }
            )
            #expect(try fixture.file(file).status == 404)
            #expect(try fixture.count(of: "muster.photo") == 0)
        }
    }

    @Test("what is taken down while the server cannot hear of it goes when it can again")
    func deaf() async throws {
        let cluster = try await ThrowawayCluster.dedicated()
        try await ServerFixture.open(on: cluster) { fixture in
            let (ada, bo, room) = try Self.friends(fixture)
            let seq = try ada.request("chat.send", Self.message("a", ["text": "Mean"], in: room))["message"]["seq"].int
            let place: JSON = ["lat": 48.2082, "lon": 16.3738]
            let spot = try ada.request("spot.add", place.with(["comment": "Bad"]))["spot"]["id"].string ?? ""
            try bo.request("spots.nearby", place.with(["radius": 5, "limit": 1]))
            try bo.expect("chat") { $0["messages"][0]["seq"].int == seq }
            try fixture.query("ALTER TABLE muster.take_down DISABLE TRIGGER take_down_announce")
            try fixture.query("ALTER TABLE muster.spot DISABLE TRIGGER spot_announce")
            try Self.takeDown(fixture, "spot", spot)
            try Self.takeDown(fixture, "message", "\(seq ?? 0)", "--room", room)
            try bo.catchUp()
            #expect(bo.unreadFrames("spot_gone").isEmpty, "nobody told the server")
            try await cluster.killBackends()
            #expect(try bo.expect("spot_gone")["spot"].string == spot)
            try bo.expect("chat") { $0["messages"][0]["deleted"].bool == true }
        }
    }

    @Test("what is not there is an error that names it, and changes nothing; reports are dismissed all or none")
    func refusals() async throws {
        try await ServerFixture.open { fixture in
            let (ada, bo, room) = try Self.friends(fixture)
            let system = try ada.request("chat.history", ["room": .string(room), "limit": 1])["messages"][0]
            #expect(system["kind"].string == "system")
            for what in ["event", "spot", "pin", "photo"] {
                let run = try Self.moderate(fixture, "take-down", what, "4711")
                #expect(run.status == 1 && run.log.contains("There is no \(what) 4711."), "\(run)")
            }
            for (seq, place) in [("4711", room), ("1", "4711"), ("\(system["seq"].int ?? 0)", room)] {
                let run = try Self.moderate(fixture, "take-down", "message", seq, "--room", place)
                #expect(run.status == 1 && run.log.contains("message \(seq) "), "\(run)")
            }
            let long = String(repeating: "a", count: 501)
            let pin = try ada.request("pin.post", ["text": "Here", "lat": 1, "lon": 2])["pin"]["id"].string ?? ""
            let reason = try Self.moderate(fixture, "take-down", "pin", pin, "--reason", long)
            #expect(reason.status == 1 && reason.log.contains("reason"), "\(reason)")
            #expect(try ada.request("pin.get")["pin"]["id"].string == pin)
            for number in 1...2 {
                try bo.request("report", ["what": "pin", "subject": .string(pin), "reason": .string("No \(number)")])
            }
            let reports = try fixture.query("SELECT id FROM muster.report ORDER BY id").map { "\(try $0.int64("id"))" }
            let unknown = try Self.moderate(fixture, "dismiss", reports[0], "4711")
            #expect(unknown.status == 1 && unknown.log.contains("no report 4711"), "\(unknown)")
            #expect(try fixture.count(of: "muster.report WHERE closed_at IS NULL") == 2)
            #expect(try Self.moderate(fixture, "dismiss", reports[0]).status == 0)
            let again = try Self.moderate(fixture, "dismiss", reports[1], reports[0])
            #expect(again.status == 1 && again.log.contains("\(reports[0]) is closed"), "\(again)")
            #expect(try fixture.count(of: "muster.report WHERE closed_at IS NULL") == 1)
            #expect(try fixture.count(of: "muster.take_down") == 0)
        }
    }
}
