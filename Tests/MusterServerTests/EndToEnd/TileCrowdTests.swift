import MusterTestSupport
import MusterWire
import Postgres
import Testing

@testable import MusterCore

@Suite("Tiles of many spots", .blocking)
struct TileCrowdTests {
    /// The corner of a grid of spots that extends to the south and east.
    private static let corner = Coordinate(latitude: 48.25, longitude: 16.3)

    /// Inserts spots into storage, in columns of 20, and restarts the server, which loads them.
    private static func plant(
        _ count: Int,
        from corner: Coordinate = Self.corner,
        apart: Double,
        by author: Account,
        in fixture: ServerFixture
    ) throws {
        try fixture.query(
            """
            INSERT INTO muster.spot (id, author_id, lat, lon, comment, created_at)
            SELECT 7000000000 + n, $1, $2::float8 - (n % 20 + 1) * $4::float8, $3::float8 + (n / 20 + 1) * $4::float8,
                'Spot ' || n, now()
            FROM generate_series(1, $5::bigint) n
            """,
            [
                .id(author.id), .float8(corner.latitude), .float8(corner.longitude), .float8(apart),
                .int64(Int64(count)),
            ]
        )
        try fixture.crash()
    }

    @Test("a tile of more points than it shows as they are shows cells, and each point counts once")
    func cells() async throws {
        try await ServerFixture.open { fixture in
            let account = try fixture.signUp("Ada")
            let tile = MercatorPoint(Self.corner).tile(zoom: 17)
            try Self.plant(300, from: tile.corner.coordinate, apart: 0.00005, by: account, in: fixture)
            let ada = try fixture.enter(account)
            let middle = (lon: tile.corner.coordinate.longitude + 0.0013, lat: tile.corner.coordinate.latitude - 0.0005)
            let box = [middle.lon, middle.lat, middle.lon, middle.lat]
            try ada.subscribeWhenReady(of: "spots", zoom: 17, box)
            try ada.waitUntil("the tile") { ada.map(of: "spots").tiles.count == 1 }
            let map = ada.map(of: "spots")
            #expect(try map.count() == 300)
            let clusters = map.features.keys.filter { $0.hasPrefix("c:17:") }
            #expect(map.features.count <= 256 && clusters.count > 20)
            try TileReadTests.expectAgreement(of: ada, "spots", 17, box, in: fixture)
            let cluster = try #require(clusters.first)
            let summary = try ada.request("tiles.cluster", ["layer": "spots", "cluster": .string(cluster)])
            #expect(summary["expansion_zoom"].int == 17)
            let leaves = try fixture.http("GET", "/v1/clusters/spots/\(cluster)/leaves?limit=&after=")
            #expect(leaves.json?["leaves"].elements.count == Int(summary["count"].int ?? 0), "no value is none")
        }
    }

    @Test("leaves are paged while others come and go: none that stays is lost, and none comes twice")
    func leaves() async throws {
        try await ServerFixture.open { fixture in
            let account = try fixture.signUp("Ada")
            try Self.plant(150, apart: 0.002, by: account, in: fixture)
            let ada = try fixture.enter(account)
            try ada.subscribeWhenReady(of: "spots", zoom: 0, [-180, -85, 180, 85])
            try ada.waitUntil("the cluster") { ada.map(of: "spots").features.count == 1 }
            let cluster = try #require(ada.map(of: "spots").features.keys.first)
            var (seen, gone): ([String], Set<String>) = ([], [])
            var cursor: String?
            repeat {
                let after = cursor.map { "&after=\($0)" } ?? ""
                let page = try fixture.http("GET", "/v1/clusters/spots/\(cluster)/leaves?limit=20\(after)")
                seen += (page.json?["leaves"].elements ?? []).map { $0["id"].string ?? "" }
                cursor = page.json?["next"].string
                // One spot is added before all others and one after; then one of the others is deleted.
                for side in [-0.01, 0.04] {
                    let draft: JSON = [
                        "lat": .number(Self.corner.latitude - side), "lon": .number(Self.corner.longitude + side),
                        "comment": "late",
                    ]
                    try ada.request("spot.add", draft)
                }
                let number = 7_000_000_000 + Int64(gone.count * 7 + 1)
                try ada.request("spot.delete", ["spot": .string(String(number))])
                gone.insert("s:\(number)")
            } while cursor != nil
            #expect(Set(seen).count == seen.count)
            let all = Set((1...150).map { "s:\(7_000_000_000 + $0)" })
            #expect(all.subtracting(gone).subtracting(seen) == [])
            #expect(seen.count >= 150 - gone.count && gone.count > 5)
        }
    }

    @Test("whoever stops reading while much is sent ends with what a reading by HTTP gives, once they read again")
    func standstill() async throws {
        try await ServerFixture.open { fixture in
            let account = try fixture.signUp("Ada")
            try Self.plant(4000, apart: 0.0008, by: account, in: fixture)
            let (watcher, ada) = (try fixture.enter(account), try fixture.enter(try fixture.signUp("Bo")))
            // Two boxes of 8 × 6 tiles that overlap by half.
            let side = 360.0 / Double(1 << 14)
            let west = Self.corner.longitude
            let boxes = [west, west + 4 * side].map { [$0, Self.corner.latitude - 0.06, $0 + 7 * side, 48.25] }
            try watcher.subscribeWhenReady(of: "spots", zoom: 14, boxes[0])
            // From here on the client does not read, and far more is to be sent than any buffer can take.
            for number in 1...60 {
                let box = boxes[number % 2].map { JSON.number($0) }
                try watcher.send("tiles.watch", ["layer": "spots", "zoom": 14, "bbox": .array(box)])
                guard number.isMultiple(of: 6) else { continue }
                let place: JSON = ["lat": 48.22, "lon": .number(west + Double(number) / 600), "comment": "late"]
                let spot = try ada.request("spot.add", place)["spot"]["id"].string ?? ""
                if number.isMultiple(of: 12) { try ada.request("spot.delete", ["spot": .string(spot)]) }
            }
            try TileReadTests.expectAgreement(of: watcher, "spots", 14, boxes[0], in: fixture)
            #expect(!watcher.map(of: "spots").isBroken, "no tile comes in parts before it came whole")
        }
    }

    @Test("a restart gives the tiles of events byte for byte")
    func restart() async throws {
        try await ServerFixture.open { fixture in
            let ada = try fixture.enter(try fixture.signUp("Ada"))
            for number in 0..<5 {
                let draft: JSON = [
                    "key": .string("\(number)"), "title": .string("Climbing \(number)"),
                    "lat": .number(48.2 + Double(number) / 1000), "lon": .number(16.37 - Double(number % 2) / 50),
                    "startsAt": .now(plus: 86_400_000), "tz": "Europe/Vienna", "visibility": "public",
                    "hidePlace": number == 3 ? true : false,
                ]
                try ada.request("event.create", draft)
            }
            let paths = ["0/0/0", "12/2234/1420", "14/8937/5680"].flatMap { tile in
                ["json", "mvt"].map { "/v1/tiles/events/\(tile).\($0)" }
            }
            let read = { try paths.map { try fixture.http("GET", $0) }.map { [$0.headers["etag"] ?? "", $0.text] } }
            let isShown = try eventually(within: 30_000) {
                try fixture.http("GET", paths[0]).json?["features"][0]["properties"]["point_count"].int == 5
            }
            #expect(isShown)
            let before = try read()
            try fixture.crash()
            let isThere = try eventually(within: 30_000) { try fixture.http("GET", paths[0]).status == 200 }
            #expect(isThere)
            #expect(try read() == before)
        }
    }
}
