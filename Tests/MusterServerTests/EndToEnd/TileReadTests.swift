import MusterTestSupport
import MusterWire
import Testing

@testable import MusterClient
@testable import MusterCore

@Suite("Tiles over HTTP beside watches", .blocking)
struct TileReadTests {
    /// A seeded generator of random numbers.
    private struct Dice: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            self.state = self.state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return self.state ^ self.state >> 29
        }
    }

    @Test("whoever pans, zooms and reconnects ends with what a fresh reading by HTTP gives")
    func agreement() async throws {
        try await ServerFixture.open { fixture in
            let (people, group) = try fixture.friends("Ada", "Bo", "Cy", "Di", "Ed", "Flo")
            let layer = "group:\(group)"
            var dice = Dice(state: 14)
            var watcher = people[5]
            let account = watcher.account
            var box: [Double] = []
            var zoom: Int64 = 0
            func pan() throws {
                zoom = Int64.random(in: 11...15, using: &dice)
                let (west, south) = (Double.random(in: 16.30...16.38, using: &dice), 48.2)
                let side = 90.0 / Double(1 << zoom)
                box = [west, south, west + 6 * side, south + 3 * side]
                try watcher.subscribeToTiles(of: layer, zoom: zoom, box)
            }
            try pan()
            for step in 0..<60 {
                let walker = people[Int.random(in: 0..<5, using: &dice)]
                try walker.sendFix(
                    48.2 + Double.random(in: 0...0.01, using: &dice),
                    16.34 + Double.random(in: 0...0.02, using: &dice),
                    ["accuracy": 5, "at": .now()]
                )
                switch Int.random(in: 0..<8, using: &dice) {
                case 0, 1: try pan()
                case 2 where step % 3 == 0:
                    let modes = ["paused", "live", "approximate"]
                    try walker.request("sharing.set", ["mode": .string(modes.randomElement(using: &dice) ?? "live")])
                case 3 where step % 4 == 0:
                    // The client disconnects and returns without a copy.
                    try watcher.sendRaw(opcode: 0x8, [])
                    try watcher.expectClose()
                    watcher = try fixture.enter(account)
                    try pan()
                case _: break
                }
            }
            for person in people.prefix(5) { try person.catchUp() }
            let last = try watcher.subscribeToTiles(of: layer, zoom: zoom, box)
            #expect(last["tiles"].int ?? 0 > 0)
            try Self.expectAgreement(of: watcher, layer, zoom, box, in: fixture)
        }
    }

    /// Waits until a client's subscription agrees with a query by HTTP.
    static func expectAgreement(
        of watcher: TestClient,
        _ layer: String,
        _ zoom: Int64,
        _ box: [Double],
        in fixture: ServerFixture
    ) throws {
        let cover = TileCover(zoom: Int(zoom), west: box[0], south: box[1], east: box[2], north: box[3])
        var problem = ""
        let agrees = try eventually(within: 20_000) {
            try watcher.catchUp()
            let map = Self.held(by: watcher, layer, cover)
            guard map.count == cover.count else {
                problem = "\(map.count) tiles of \(cover.count)"
                return false
            }
            for (tile, features) in map {
                let reply = try fixture.http("GET", "/v1/tiles/\(layer)/\(tile).json", token: watcher.account.token)
                let read = (reply.json?["features"].elements ?? []).map(\.json).sorted()
                guard features.values.sorted() == read else {
                    problem = "\(tile): \(features.values.sorted()), by HTTP \(read)"
                    return false
                }
            }
            return true
        }
        #expect(agrees, "\(problem)")
    }

    /// The features that a client has in a box.
    ///
    /// Tiles outside a subscription are dropped, and are sent whole when they are subscribed to again.
    private static func held(
        by watcher: TestClient,
        _ layer: String,
        _ cover: TileCover
    ) -> [String: [String: String]] {
        var map = watcher.map(of: layer)
        map.keep(Set(cover.tiles.map(\.description)))
        return map.tiles
    }

    @Test("group layers are for members with a token; who is not in it learns nothing")
    func access() async throws {
        try await ServerFixture.open { fixture in
            let (people, group) = try fixture.friends("Ada", "Bo")
            try people[0].sendFix(48.2082, 16.3738)
            try people[0].waitForAck()
            let path = "/v1/tiles/group:\(group)/15/17875/11360.json"
            #expect(try fixture.http("GET", path).status == 401)
            #expect(try fixture.http("GET", path, token: "wrong").status == 401)
            let stranger = try fixture.signUp("Cy")
            let refused = try fixture.http("GET", path, token: stranger.token)
            #expect(refused.status == 403 && refused.code == "not_member")
            let nobody = try fixture.http("GET", "/v1/tiles/group:99/0/0/0.json", token: stranger.token)
            #expect(nobody.status == 403 && nobody.code == "not_member")
            let reply = try fixture.http("GET", "/v1/tiles/group:\(group)/0/0/0.json", token: people[1].account.token)
            #expect(reply.status == 200)
            #expect(reply.headers["cache-control"] == "private, no-cache")
            #expect(reply.json?["features"][0]["properties"]["name"].string == "Ada")
            let tag = try #require(reply.headers["etag"])
            // A paused user is in no answer and no ETag once the request is acknowledged.
            try people[0].request("sharing.set", ["mode": "paused"])
            let paused = try fixture.http("GET", "/v1/tiles/group:\(group)/0/0/0.json", token: people[1].account.token)
            #expect(paused.json?["features"].elements.isEmpty == true)
            #expect(paused.headers["etag"] != tag)
            let vector = try fixture.http("GET", "/v1/tiles/group:\(group)/0/0/0.mvt", token: people[1].account.token)
            #expect(vector.status == 204)
            // A member without a session: the group is read from storage.
            for person in people { try person.sendRaw(opcode: 0x8, []) }
            try fixture.crash()
            let alone = try fixture.http("GET", "/v1/tiles/group:\(group)/0/0/0.json", token: people[1].account.token)
            #expect(alone.status == 200)
            #expect(alone.json?["features"].elements.isEmpty == true)
        }
    }

    @Test("a stranger's address reads 200 tiles at once, and then has to wait")
    func meter() async throws {
        try await ServerFixture.open(["--trusted-proxy", "127.0.0.1"]) { fixture in
            let connection = try BlockingHTTP(port: fixture.server.port)
            let read = { (layer: String, address: String) in
                try connection.request(
                    "GET",
                    "/v1/tiles/\(layer)/0/0/0.json",
                    headers: [(name: "X-Forwarded-For", value: address)]
                )
            }
            #expect(try read("spots", "203.0.113.7").status != 429)
            // A layer that nobody has costs a token and no work, so the tokens go faster than they come on any machine.
            let answers = try repeatUntilRefused(most: 20_000, where: { $0.status == 429 }) { _ in
                try read("nothing", "203.0.113.7")
            }
            #expect(answers.count >= 200)
            #expect(answers.dropLast().allSatisfy { $0.status == 404 })
            let refused = try #require(answers.last)
            #expect(refused.status == 429)
            #expect(refused.headers["retry-after"] != nil)
            #expect(try read("spots", "203.0.113.8").status != 429, "another address is another stranger")
        }
    }
}
