import EventLoop
import MusterTestSupport
import Testing

@testable import MusterClient
@testable import MusterWire

@Suite("The watch", .blocking)
struct GlanceTests {
    private static let cafe = (latitude: 48.2, longitude: 16.37)

    /// Connects a user's wearable.
    private static func wear(_ account: Account, in fixture: ServerFixture) throws -> TestClient {
        let watch = try fixture.connect(account, subprotocol: "muster.watch.v1")
        #expect(!(try watch.hello(device: "watch", kind: "watch")).text.contains("groups"))
        return watch
    }

    /// Checks that a wearable received only frames that it may receive.
    private static func expectGlancesOnly(_ watch: TestClient) {
        let glances = watch.received.filter { $0.type == "glance" }
        let asked: Set = ["welcome", "glance", "ok", "error", "ack", "pong", "located", "locate_expired"]
        #expect(Set(watch.received.map(\.type)).isSubset(of: asked))
        #expect(glances.allSatisfy { $0.text.utf8.count <= 2_048 })
        for (last, next) in zip(glances, glances.dropFirst()) {
            #expect((next["at"].int ?? 0) - (last["at"].int ?? 0) >= 10_000, "two glances in ten seconds")
        }
    }

    @Test("a watch is told when the others meet without one, marks that as seen, asks where they are and is answered")
    func leftBehind() async throws {
        try await ServerFixture.open { fixture in
            let (people, group) = try fixture.friends("Ada", "Bo", "Di", "Eve")
            let (ada, di, eve) = (people[0], people[2], people[3])
            try eve.request("sharing.set", ["mode": "paused"])
            try eve.sendFix(48.2000456, 16.3700567)
            try di.sendFix(48.22, 16.37)
            for person in [di, eve] { try person.waitForAck() }
            let watch = try Self.wear(di.account, in: fixture)
            let first = try watch.expect("glance")["groups"][0]
            #expect(first["id"].string == group && first["name"].string == "Sunday climbers")
            #expect(first["together"].int == 0 && first["of"].int == 4 && first["you"].string == "out")

            try report([ada, people[1]], at: ReportTimes.fromNow) {
                (Self.cafe.latitude + Double($0) / 10_000, Self.cafe.longitude)
            }
            let number = try di.expect("left_without_you")["notification"].int ?? 0
            let glance = try watch.expect("glance") { $0["notifications"].count == 1 }
            let seen = glance["groups"][0]
            #expect(seen["together"].int == 2 && seen["of"].int == 4 && seen["you"].string == "out")
            #expect(abs((seen["place"]["lat"].double ?? 0) - Self.cafe.latitude) < 0.001)
            #expect(abs((seen["distance"].double ?? 0) - 2_224) < 60)
            let waiting = glance["notifications"][0]
            #expect(waiting["notification"].int == number && waiting["group"].string == group)
            #expect(waiting["kind"].string == "left_without_you")
            #expect(waiting["text"].string == "Sunday climbers are together without you, 2.2 km away")

            // Seen on the wearable.
            try watch.request("seen", ["notifications": [.integer(number)]])
            #expect(try di.expect("seen")["notifications"][0].int == number)
            let answer = try watch.request("locate", ["group": .string(group), "user": .string(ada.account.id)])
            #expect((answer["expiresAt"].int ?? 0) > 0)
            let request = try ada.expect("locate")["request"].string ?? ""
            try ada.sendFix(48.2001, 16.37, ["accuracy": 5, "trigger": "answer", "answer": .string(request)])
            #expect(try watch.expect("located")["request"].string == answer["request"].string)
            try watch.expect("glance") { $0["notifications"].count == 0 }
            Self.expectGlancesOnly(watch)
            #expect(!watch.received.contains { $0.text.contains("48.2000456") || $0.text.contains("16.3700567") })
        }
    }

    /// A stream of server-sent events, read as it arrives.
    private final class Events {
        private let socket: BlockingSocket
        private var text = ""

        init(_ path: String, token: String, port: UInt16, headers: String = "") throws {
            self.socket = try BlockingSocket(host: "127.0.0.1", port: port)
            let head = "GET \(path) HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer \(token)\r\n\(headers)\r\n"
            try self.socket.send(Array(head.utf8))
        }

        /// Reads until all unread text matches, and consumes it.
        func take(_ isWhole: (String) -> Bool) throws -> String {
            let deadline = MonotonicClock.system.milliseconds + 60_000
            while !isWhole(self.text) {
                let isOpen = try self.socket.receive(until: deadline) {
                    self.text += String(decoding: $0, as: UTF8.self)
                }
                if !isOpen { throw TestFailure("the stream ended after: \(self.text)") }
            }
            defer { self.text = "" }
            return self.text
        }

        /// The next glance and its id.
        func glance() throws -> (id: Int64?, frame: Frame) {
            let text = try self.take { $0.contains("\ndata: ") && $0.contains("\n\n\r\n") }
            let lines = text.split(whereSeparator: \.isNewline)
            #expect(lines.contains("event: glance"))
            let id = lines.first { $0.hasPrefix("id: ") }.flatMap { Int64($0.dropFirst(4)) }
            let data = lines.first { $0.hasPrefix("data: ") }?.dropFirst(6) ?? ""
            return (id, try Frame(Array(data.utf8)))
        }

        /// Waits until the server ends the stream properly.
        func expectEnd() throws { _ = try self.take { $0.hasSuffix("0\r\n\r\n") } }
    }

    @Test("the same glances come as server-sent events, which go on after a cut, until the login ends")
    func events() async throws {
        try await ServerFixture.open { fixture in
            let (people, group) = try fixture.friends("Ada", "Bo")
            let (ada, bo) = (people[0], people[1])
            let token = bo.account.token
            let first = try Events("/v1/glances", token: token, port: fixture.server.port)
            let glance = try first.glance()
            #expect(glance.frame.type == "glance" && glance.frame["groups"][0]["id"].string == group)
            #expect(glance.id == glance.frame["at"].int)
            try ada.waitUntil("Bo is there") { ada.roster(group)[bo.account.id].presence == "online" }
            // A keep-alive comment.
            _ = try first.take { $0.contains("\r\n:\n\n\r\n") }
            // The same device again, after a disconnect that the server has not noticed.
            let header = "Last-Event-ID: \(glance.id ?? 0)\r\n"
            let second = try Events("/v1/glances", token: token, port: fixture.server.port, headers: header)
            try first.expectEnd()
            // A client with the last glance receives nothing new; a client with another receives the last one.
            let quiet = try second.take { $0.contains("\r\n:\n\n\r\n") }
            #expect(!quiet.contains("event: glance"))
            let third = try Events(
                "/v1/glances",
                token: token,
                port: fixture.server.port,
                headers: "Last-Event-ID: 7\r\n"
            )
            let again = try third.glance()
            #expect(again.frame["groups"][0]["id"].string == group)
            #expect((again.id ?? 0) > (glance.id ?? 0))
            try second.expectEnd()
            // A HEAD request starts no stream.
            #expect(try fixture.http("HEAD", "/v1/glances", token: token).status == 200)
            let other = try Events("/v1/glances?device=ring", token: token, port: fixture.server.port)
            _ = try other.glance()
            // The world publishes its statistics once a tick.
            var page = ""
            let isCounted = try eventually {
                page = try fixture.http("GET", "/metrics").text
                return page.contains("\nmuster_glance_streams 2\n") && page.contains("\nmuster_watches 2\n")
                    && page.contains("\nmuster_glances_total 3\n")
            }
            #expect(isCounted, "\(page)")
            #expect(try fixture.http("DELETE", "/v1/sessions/current", token: token).status == 204)
            try third.expectEnd()
            try other.expectEnd()

            #expect(try fixture.http("GET", "/v1/glances").status == 401)
            #expect(try fixture.http("GET", "/v1/glances", token: token).status == 401)
            let long = String(repeating: "x", count: 65)
            let refused = try fixture.http("GET", "/v1/glances?device=\(long)", token: ada.account.token)
            #expect(refused.status == 400 && refused.json?["field"].string == "device")
        }
    }

    @Test("a spot that is added near one is on the wrist, is liked from there, and goes when it is deleted")
    func spots() async throws {
        try await ServerFixture.open { fixture in
            let ada = try fixture.enter(try fixture.signUp("Ada"))
            let bo = try fixture.enter(try fixture.signUp("Bo"))
            let draft: JSON = ["lat": 48.2011, "lon": 16.37, "comment": "Blue Bottle\nquiet in the morning"]
            let spot = try ada.request("spot.add", draft)["spot"]["id"].string ?? ""
            try bo.sendFix(Self.cafe.latitude, Self.cafe.longitude)
            try bo.waitForAck()
            // The first glance contains spots that already exist.
            let watch = try Self.wear(bo.account, in: fixture)
            let first = try watch.expect("glance")["spots"]
            #expect(first.count == 1 && first[0]["id"].string == spot)
            #expect(first[0]["comment"].string == "Blue Bottle\nquiet in the morning")
            #expect(abs((first[0]["distance"].double ?? 0) - 122) < 2 && first[0]["likes"].int == 0)

            let nearer = try ada.request("spot.add", ["lat": 48.2003, "lon": 16.37, "comment": "Bar"])
            let second = try watch.expect("glance")["spots"]
            #expect(second.elements.map { $0["comment"].string } == ["Bar", "Blue Bottle\nquiet in the morning"])
            let voted = try watch.request("spot.vote", ["spot": .string(spot), "vote": "like"])
            #expect(voted["spot"]["likes"].int == 1)
            try watch.expect("glance") { $0["spots"][1]["likes"].int == 1 }
            try ada.request("spot.delete", ["spot": .string(nearer["spot"]["id"].string ?? "")])
            try watch.expect("glance") { $0["spots"].elements.map { $0["id"].string } == [spot] }
            Self.expectGlancesOnly(watch)
        }
    }

    @Test("of a hundred groups with long names a watch is told in 2 KiB")
    func size() async throws {
        try await ServerFixture.open { fixture in
            let ada = try fixture.enter(try fixture.signUp("Ada"))
            let name = String(repeating: "\u{1F3B6}", count: 75)
            for number in 1...100 { try ada.request("group.create", ["name": .string("\(number) \(name)")]) }
            let watch = try Self.wear(ada.account, in: fixture)
            let glance = try watch.expect("glance")
            #expect((4..<10).contains(glance["groups"].count))
            Self.expectGlancesOnly(watch)
        }
    }
}
