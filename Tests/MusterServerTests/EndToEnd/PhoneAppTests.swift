import Foundation
import MusterTestSupport
import Postgres
import Testing

@testable import MusterClient
@testable import MusterWire

/// A phone that was added.
private struct Phone {
    let fixture: ServerFixture
    let device: String
    let token: String
    let link: String

    /// Adds a phone.
    init(_ app: String, of account: Account, on fixture: ServerFixture) throws {
        let body: JSON = ["app": .string(app), "name": "Ada's phone"]
        let reply = try fixture.http("POST", "/v1/me/trackers", token: account.token, body: body)
        guard reply.status == 201, let device = reply.json?["device"].string, let token = reply.json?["token"].string,
            let link = reply.json?["link"].string, reply.json?["qr"].string?.hasPrefix("<svg") == true
        else { throw TestFailure("a phone was answered \(reply.status) \(reply.text)") }
        self.fixture = fixture
        self.device = device
        self.token = token
        self.link = link
    }

    /// Posts to the address of an app, with the password of Basic.
    func post(
        _ app: String,
        _ body: String,
        agent: String = "Owntracks-Android",
        token: String? = nil
    ) throws -> HTTPReply {
        let basic = Data("any:\(token ?? self.token)".utf8).base64EncodedString()
        let answer = try BlockingHTTP(port: self.fixture.server.port).request(
            "POST",
            "/v1/ingest/\(app)",
            headers: [
                (name: "Content-Type", value: "application/json"), (name: "Authorization", value: "Basic \(basic)"),
                (name: "User-Agent", value: agent),
            ],
            body: Array(body.utf8),
            timeout: 15_000
        )
        let reply = HTTPReply(answer)
        self.fixture.transcript.answered(
            "POST",
            "/v1/ingest/\(app)",
            status: reply.status,
            body: reply.json == nil ? "" : reply.text
        )
        return reply
    }

    /// Posts a location of OwnTracks, `seconds` from now; a second or two ahead, so that it is newer than a membership.
    func report(_ latitude: Double, seconds: Int = 2, _ more: String = "") throws -> HTTPReply {
        try self.post("owntracks", Self.location(latitude, seconds: seconds, more))
    }

    static func location(_ latitude: Double, seconds: Int = 2, _ more: String = "") -> String {
        let tst = Int(Date().timeIntervalSince1970) + seconds
        return #"{"_type":"location","lat":\#(latitude),"lon":16.37,"acc":8,"tst":\#(tst)\#(more)}"#
    }

    /// The number of stored fixes.
    func stored() throws -> Int64 {
        try self.fixture.count(of: "muster.fix WHERE device_id = $1", [.id(self.device)])
    }

    /// What the user sees of the phone.
    func listed(by account: Account) throws -> JSONValue? {
        let reply = try self.fixture.http("GET", "/v1/me/trackers", token: account.token)
        return reply.json?["trackers"].elements.first { $0["device"].string == self.device }
    }
}

/// The messages of an answer by type.
private func messages(_ reply: HTTPReply, _ type: String) throws -> [JSONValue] {
    try JSONDocument(Array(reply.text.utf8)).root.elements.filter { $0["_type"].string == type }
}

@Suite("Phones' own apps", .blocking)
struct PhoneAppTests {
    @Test("each app's report shows the user to their friends, away, and none is stored twice")
    func apps() async throws {
        try await ServerFixture.open { fixture in
            let (people, group) = try fixture.friends("Ada", "Bo", "Cy", "Dot")
            let now = Int(Date().timeIntervalSince1970) + 2
            let time = ISO8601DateFormatter().string(from: Date(timeIntervalSince1970: Double(now)))
            let bo = people[1]
            for (index, app) in ["owntracks", "overland", "osmand", "traccar"].enumerated() {
                let account = people[index].account
                let phone = try Phone(app, of: account, on: fixture)
                let latitude = Double(4_820 + index) / 100
                for _ in 1...2 {
                    let reply: HTTPReply
                    switch app {
                    case "owntracks":
                        reply = try phone.post(
                            app,
                            #"{"_type":"location","lat":\#(latitude),"lon":16.37,"acc":8,"tst":\#(now)}"#
                        )
                    case "overland":
                        reply = try phone.post(
                            app,
                            """
                            {"locations":[{"type":"Feature","geometry":{"type":"Point","coordinates":[16.37,\(latitude)]},
                            "properties":{"timestamp":"\(time)","horizontal_accuracy":8}}]}
                            """
                        )
                        #expect(reply.text == #"{"result":"ok"}"#)
                    case "osmand":
                        let query = "id=\(phone.token)&lat=\(latitude)&lon=16.37&timestamp=\(now)&hdop=1"
                        reply = try fixture.http("GET", "/v1/ingest/osmand?\(query)")
                    default:
                        let coordinates = #"{"latitude":\#(latitude),"longitude":16.37,"accuracy":8}"#
                        let location = #"{"timestamp":"\#(time)","coords":\#(coordinates)}"#
                        let body = #"{"device_id":"\#(phone.token)","location":\#(location)}"#
                        reply = try fixture.http("POST", "/v1/ingest/osmand", rawBody: body)
                    }
                    #expect(reply.status == 200, "\(app): \(reply.text)")
                }
                #expect(try phone.stored() == 1, "\(app)")
                try bo.waitUntil(app) { bo.roster(group)[account.id].latitude == latitude }
                #expect(try phone.listed(by: account)?["problems"].int == 0)
                #expect(try phone.listed(by: account)?["reportedAt"].int != nil)
            }
        }
    }

    @Test("junk is answered 200, counted, and shown as the last problem; it is not stored")
    func junk() async throws {
        try await ServerFixture.open { fixture in
            let account = try fixture.signUp("Ada")
            let phone = try Phone("owntracks", of: account, on: fixture)
            for (count, body) in [
                #"{"_type":"location","lat":0,"lon":0,"tst":1793696400}"#,
                #"{"_type":"location","lat":48,"lon":16,"tst":5}"#,
                #"{"_type":"location","lat":NaN,"lon":16,"tst":1793696400}"#, #"{"_type":"surprise"}"#, "garbage",
            ].enumerated() {
                #expect(try phone.post("owntracks", body).status == 200, "\(body)")
                #expect(try phone.listed(by: account)?["problems"].int == Int64(count + 1), "\(body)")
            }
            #expect(try phone.listed(by: account)?["lastProblem"].string?.contains("JSON") == true)
            #expect(try phone.post("owntracks", "").status == 200)
            #expect(try phone.stored() == 0)
            #expect(try phone.post("owntracks", String(repeating: " ", count: 1_048_577)).status == 413)
            let many = (0..<1_001).map { #"{"_type":"location","lat":48,"lon":16,"tst":\#(1_793_696_400 + $0)}"# }
            #expect(try phone.post("owntracks", "[\(many.joined(separator: ","))]").status == 413)
        }
    }

    @Test("a phone's token opens its reports alone, a removed one nothing; a guess is 401, of OsmAnd 400")
    func tokens() async throws {
        try await ServerFixture.open { fixture in
            let (people, _) = try fixture.friends("Ada", "Bo")
            let account = people[0].account
            let phone = try Phone("owntracks", of: account, on: fixture)
            for (method, path) in [
                ("GET", "/v1/me"), ("GET", "/v1/me/trackers"), ("GET", "/v1/me/export"), ("DELETE", "/v1/me"),
                ("POST", "/v1/locations?device=x"),
            ] {
                #expect(try fixture.http(method, path, token: phone.token).status == 401, "\(method) \(path)")
            }
            let stranger = Account(id: account.id, username: "", password: "", name: "", token: phone.token)
            let client = try fixture.connect(stranger)
            try client.sendHello()
            #expect(try client.expectClose() == 4401)
            // A login's token is none of a phone.
            for token in [account.token, "", "AAAAAAAAAAAAAAAAAAAAAA"] {
                #expect(try phone.post("owntracks", Phone.location(48), token: token).status == 401)
                #expect(try phone.post("overland", #"{"locations":[]}"#, token: token).status == 401)
                #expect(try fixture.http("GET", "/v1/ingest/osmand?id=\(token)&lat=1&lon=2").status == 400)
            }
            // Nobody removes another's phone.
            let path = "/v1/me/trackers/\(phone.device)"
            #expect(try fixture.http("DELETE", path, token: people[1].account.token).status == 404)
            #expect(try fixture.http("DELETE", path, token: account.token).status == 204)
            #expect(try fixture.http("DELETE", path, token: account.token).status == 404)
            #expect(try phone.report(48.2).status == 401)
            #expect(try phone.stored() == 0)
            for _ in 0..<20 { _ = try Phone("osmand", of: account, on: fixture) }
            let more = try fixture.http(
                "POST",
                "/v1/me/trackers",
                token: account.token,
                body: ["app": "osmand", "name": "One more"]
            )
            #expect(more.status == 409)
        }
    }

    @Test("a batch sent again after kill -9 is stored once, and nothing of it is lost")
    func crash() async throws {
        try await ServerFixture.open { fixture in
            let account = try fixture.signUp("Ada")
            let phone = try Phone("owntracks", of: account, on: fixture)
            let bodies = (0..<30).map { Phone.location(48.2 + Double($0) / 10_000, seconds: $0 / 2) }
            let whole = "[\(bodies.joined(separator: ","))]"
            // The server ends before it answers, at another moment each time.
            for pause in [0, 2_000, 5_000, 20_000] as [useconds_t] {
                let connection = try BlockingHTTP(port: fixture.server.port)
                let basic = Data("any:\(phone.token)".utf8).base64EncodedString()
                let head = """
                    POST /v1/ingest/owntracks HTTP/1.1\r\nHost: localhost\r\nAuthorization: Basic \(basic)\r\n\
                    Content-Type: application/json\r\nContent-Length: \(whole.utf8.count)\r\n\r\n
                    """
                try connection.sendRaw(Array((head + whole).utf8))
                usleep(pause)
                try fixture.crash()
            }
            #expect(try phone.post("owntracks", whole).status == 200)
            #expect(try phone.post("owntracks", "[\(bodies[3]),\(whole.dropFirst())").status == 200)
            #expect(try phone.stored() == 30)
            let numbers = try fixture.query(
                "SELECT count(DISTINCT seq) AS seqs, count(DISTINCT lat) AS places FROM muster.fix WHERE device_id = $1",
                [.id(phone.device)]
            ).onlyRow()
            #expect(try numbers?.int64("seqs") == 30 && numbers?.int64("places") == 30)
        }
    }

    @Test("OwnTracks is answered with what the roster shows, and nothing of strangers or of who is paused")
    func answers() async throws {
        try await ServerFixture.open { fixture in
            let (people, group) = try fixture.friends("Ada", "Bo", "Cy")
            let (ada, bo, cy) = (people[0], people[1], people[2])
            let strangers = try fixture.friends("Eve", "Fay").people
            for (index, person) in (people + strangers).enumerated() {
                try person.sendFix(48.21349 + Double(index), 16.37208)
            }
            for person in people + strangers { try person.waitForAck() }
            try bo.request("sharing.set", ["mode": "approximate", "group": .string(group)])
            try cy.request("sharing.set", ["mode": "paused"])
            try ada.waitUntil("Cy paused") { ada.roster(group)[cy.account.id].latitude == nil }
            try ada.waitUntil("Bo on the grid") { ada.roster(group)[bo.account.id].latitude == 49.21 }

            let phone = try Phone("owntracks", of: ada.account, on: fixture)
            let reply = try phone.report(48.3)
            #expect(reply.status == 200)
            let id = String(Int64(bo.account.id) ?? 0, radix: 36)
            #expect(try messages(reply, "card").map { $0["name"].string } == ["Bo"])
            let shown = try messages(reply, "location")
            #expect(shown.map { $0["tid"].string } == [id])
            #expect(shown.first?["lat"].double == 49.21 && shown.first?["lon"].double == 16.37)
            #expect(try messages(reply, "clear").count == 1)
            let all = try JSONDocument(Array(reply.text.utf8)).root.elements.compactMap { $0["_type"].string }
            #expect(Set(all).isSubset(of: ["card", "location", "clear", "cmd", "transition"]))
            for hidden in ["50.2134", "51.2134", "52.2134", "49.2134", "Eve", "Fay", "Cy"] {
                #expect(!reply.text.contains(hidden), "\(hidden)")
            }
            // The card is not repeated, unless the answer was lost.
            let body = Phone.location(48.31, seconds: 3)
            #expect(try messages(try phone.post("owntracks", body), "card").isEmpty)
            #expect(try messages(try phone.report(48.32, seconds: 4), "clear").isEmpty)
            // An app that is not Android's is not sent what it does not know.
            let other = try Phone("owntracks", of: ada.account, on: fixture)
            let plain = try other.post("owntracks", Phone.location(48.33, seconds: 5), agent: "OwnTracks/18 CFNetwork")
            #expect(try messages(plain, "clear").isEmpty && messages(plain, "location").count == 1)
        }
    }

    @Test("a closed app is asked by locate, and its answer reaches the asker")
    func locate() async throws {
        try await ServerFixture.open { fixture in
            let (people, group) = try fixture.friends("Ada", "Bo")
            let (ada, bo) = (people[0], people[1])
            let phone = try Phone("owntracks", of: bo.account, on: fixture)
            #expect(try messages(try phone.report(48.2), "cmd").isEmpty)
            let asked = try ada.request("locate", ["group": .string(group), "user": .string(bo.account.id)])
            // Bo's session and the phone.
            #expect(asked["devices"].int == 2)
            let reply = try phone.report(48.2, seconds: 3)
            #expect(try messages(reply, "cmd").map { $0["action"].string } == ["reportLocation"])
            #expect(try messages(try phone.report(48.2, seconds: 4, #","t":"r""#), "cmd").isEmpty)
            let located = try ada.expect("located")
            #expect(located["lat"].double == 48.2 && located["user"].string == bo.account.id)
        }
    }

    @Test("reports faster than one a second, beyond a burst of 1,000, are to be sent again later, never 429")
    func tooFast() async throws {
        try await ServerFixture.open { fixture in
            let phone = try Phone("owntracks", of: try fixture.signUp("Ada"), on: fixture)
            let batch = (0..<1_000).map { Phone.location(48 + Double($0) / 10_000, seconds: -$0) }
            #expect(try phone.post("owntracks", "[\(batch.joined(separator: ","))]").status == 200)
            #expect(try phone.stored() == 1_000)
            let refused = try phone.post("owntracks", "[\(batch.prefix(500).joined(separator: ","))]")
            #expect(refused.status == 503 && refused.headers["retry-after"] != nil)
        }
    }
}
