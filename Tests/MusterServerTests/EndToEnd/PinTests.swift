import MusterTestSupport
import Postgres
import Testing

@testable import MusterWire

@Suite("Pins", .blocking)
struct PinTests {
    private static let fair: JSON = ["text": "At the fair", "lat": 48.21643, "lon": 16.39581]

    @Test("a pin is seen by everybody, replaced after being asked, and deleted")
    func story() async throws {
        try await ServerFixture.open { fixture in
            let ada = try fixture.enter(try fixture.signUp("Ada"))
            let bo = try fixture.enter(try fixture.signUp("Bo"))
            #expect(try ada.request("pin.get")["pin"].isNull)
            let pin = try ada.request("pin.post", Self.fair.with(["link": "https://example.org/fair"]))["pin"]
            #expect(pin["text"].string == "At the fair")
            #expect(pin["label"].string == "48.2164, 16.3958")
            #expect(pin["user"]["name"].string == "Ada")
            #expect(pin["user"]["avatar"].isNull)
            #expect(pin["link"].string == "https://example.org/fair")

            let again = try ada.refusal(of: "pin.post", ["text": "Elsewhere", "lat": 1, "lon": 2])
            #expect(again["code"].string == "conflict")
            #expect(again["pin"]["id"].string == pin["id"].string)
            let revision = again["pin"]["revision"].int ?? 0
            let moved = try ada.request(
                "pin.post",
                ["text": "Elsewhere", "lat": 1, "lon": 2, "replace": .integer(revision)]
            )["pin"]
            #expect(moved["id"].string == pin["id"].string)
            #expect((moved["revision"].int ?? 0) > revision)
            #expect(moved["link"].isNull)

            let seen = try bo.request("pins.all", ["limit": 10])
            #expect(seen["total"].int == 1)
            #expect(seen["next"].isNull)
            #expect(seen["pins"][0]["text"].string == "Elsewhere")
            #expect(try bo.request("pin.get")["pin"].isNull)
            #expect(try bo.refusal(of: "pin.delete")["code"].string == "not_found")
            try ada.request("pin.delete")
            #expect(try bo.request("pins.all", ["limit": 10])["total"].int == 0)
        }
    }

    @Test("of two devices that replace one pin at once, one is told what stands")
    func twoDevices() async throws {
        try await ServerFixture.open { fixture in
            let account = try fixture.signUp("Ada")
            let devices = [try fixture.enter(account), try fixture.enter(account, device: "tablet")]
            let revision = try devices[0].request("pin.post", Self.fair)["pin"]["revision"].int ?? 0
            for (number, device) in devices.enumerated() {
                let fields = Self.fair.with(["replace": .integer(revision), "id": .string("r\(number)")])
                try device.send("pin.post", fields)
            }
            var codes: [String] = []
            for (number, device) in devices.enumerated() {
                let answer = try device.answer(tagged: "r\(number)")
                codes.append(answer.type == "ok" ? "ok" : answer["code"].string ?? "")
                #expect((answer["pin"]["revision"].int ?? 0) > revision)
            }
            #expect(codes.sorted() == ["conflict", "ok"])
        }
    }

    @Test("what is refused changes nothing: bad fields, a watch, and the eleventh in an hour")
    func refusals() async throws {
        try await ServerFixture.open { fixture in
            let ada = try fixture.enter(try fixture.signUp("Ada"))
            var pin = try ada.request("pin.post", Self.fair)["pin"]
            let bad: [(text: String, field: String)] = [
                (#""text":"","lat":1,"lon":2"#, "text"),
                (#""text":"\#(String(repeating: "a", count: 201))","lat":1,"lon":2"#, "text"),
                (#""text":"a","lat":91,"lon":2"#, "lat"),
                (#""text":"a","lat":1,"lon":2,"link":"data:text/html,hi""#, "link"),
                (#""text":"a","lat":1,"lon":2,"link":"http://user@host""#, "link"),
            ]
            for (number, frame) in bad.enumerated() {
                try ada.sendBroken(#"{"type":"pin.post","id":"bad \#(number)",\#(frame.text)}"#)
                let error = try ada.expect("error") { $0["id"].string == "bad \(number)" }
                #expect(error["code"].string == "bad_request")
                #expect(error["field"].string == frame.field)
            }
            let watch = try fixture.connect(ada.account, subprotocol: "muster.watch.v1")
            try watch.hello(device: "watch", kind: "watch")
            #expect(try watch.refusal(of: "pin.get")["code"].string == "forbidden")
            #expect(try ada.request("pin.get")["pin"]["revision"].int == pin["revision"].int)
            // One was posted above; malformed posts do not count.
            for _ in 2...10 {
                pin = try ada.request("pin.post", Self.fair.with(["replace": .integer(pin["revision"].int ?? 0)]))[
                    "pin"
                ]
            }
            let eleventh = try ada.refusal(of: "pin.post", Self.fair)
            #expect(eleventh.isTooOften)
            #expect((eleventh["retryAfter"].int ?? 0) > 0)
            #expect(try ada.request("pin.get")["pin"]["revision"].int == pin["revision"].int)
        }
    }

    /// The features of the pin layer at zoom 0, by HTTP.
    private static func map(_ fixture: ServerFixture, _ reader: TestClient) throws -> [JSONValue] {
        let reply = try fixture.http("GET", "/v1/tiles/pins/0/0/0.json", token: reader.account.token)
        guard reply.status == 200, let json = reply.json else { return [] }
        return json["features"].elements
    }

    @Test("pins are on the map of who is signed in, and an operator's change is there without their doing anything")
    func onTheMap() async throws {
        try await ServerFixture.open { fixture in
            let ada = try fixture.enter(try fixture.signUp("Ada"))
            let bo = try fixture.enter(try fixture.signUp("Bo"))
            try ada.request("pin.post", Self.fair.with(["link": "https://example.org/"]))
            #expect(try fixture.http("GET", "/v1/tiles/pins/0/0/0.json").status == 401)
            #expect(try eventually { try Self.map(fixture, bo).count == 1 })
            let feature = try Self.map(fixture, bo)[0]
            let properties = feature["properties"]
            #expect(feature["id"].string == "p:\(properties["id"].string ?? "")")
            #expect(properties["name"].string == "Ada")
            #expect(properties["label"].string == "48.2164, 16.3958")
            #expect(properties["link"].string == "https://example.org/")

            try bo.request("tiles.watch", ["layer": "pins", "zoom": 0, "bbox": [-180, -85, 180, 85]])
            func isNotified(_ fits: (JSONValue) -> Bool) throws {
                try bo.expect("tiles") { $0["tiles"].elements.contains(where: fits) }
            }
            try isNotified { $0["features"][0]["properties"]["name"].string == "Ada" }
            try fixture.query("UPDATE muster.pin SET label = 'Moved', lat = -33.9, lon = 18.4")
            try isNotified { $0["features"][0]["properties"]["label"].string == "Moved" }
            try fixture.query("UPDATE muster.account SET name = 'Ada L.' WHERE id = $1", [.id(ada.account.id)])
            try isNotified { $0["features"][0]["properties"]["name"].string == "Ada L." }
            try fixture.query("DELETE FROM muster.pin")
            try isNotified { $0["gone"][0].string == feature["id"].string }
            #expect(try Self.map(fixture, bo).isEmpty)
        }
    }

    @Test("pins that were there before a restart are on the map again")
    func restart() async throws {
        try await ServerFixture.open { fixture in
            let ada = try fixture.enter(try fixture.signUp("Ada"))
            try ada.request("pin.post", Self.fair)
            try fixture.crash()
            #expect(try eventually { try Self.map(fixture, ada).count == 1 })
        }
    }

    @Test("what an operator does in psql reaches people; whose account is deleted leaves no pin behind")
    func operators() async throws {
        try await ServerFixture.open { fixture in
            let ada = try fixture.enter(try fixture.signUp("Ada"))
            let bo = try fixture.enter(try fixture.signUp("Bo"))
            func shown() throws -> Bool { try fixture.http("GET", "/metrics").text.contains("\nmuster_pins 2\n") }
            try ada.request("pin.post", Self.fair)
            try bo.request("pin.post", ["text": "Here", "lat": 1, "lon": 2, "approximate": true])
            #expect(try eventually { try shown() })
            try fixture.query("UPDATE muster.pin SET text = 'removed' WHERE user_id = $1", [.id(ada.account.id)])
            #expect(
                try bo.request("pins.all", ["limit": 10])["pins"].elements.contains { $0["text"].string == "removed" }
            )
            try fixture.query("DELETE FROM muster.pin WHERE user_id = $1", [.id(bo.account.id)])
            #expect(try bo.request("pin.get")["pin"].isNull)
            #expect(try eventually { try fixture.http("GET", "/metrics").text.contains("\nmuster_pins 1\n") })
            #expect(try fixture.http("DELETE", "/v1/me", token: ada.account.token).status == 204)
            #expect(try fixture.http("GET", "/metrics").text.contains("\nmuster_pins 0\n"))
            #expect(try fixture.count(of: "muster.pin") == 0)
        }
    }
}
