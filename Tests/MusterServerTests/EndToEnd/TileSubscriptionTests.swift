import MusterTestSupport
import Testing

@testable import MusterWire

@Suite("Watching tiles", .blocking)
struct TileSubscriptionTests {
    /// Vienna, in nine tiles of zoom 12.
    private static let vienna = [16.30, 48.15, 16.45, 48.25]

    /// Adds a spot.
    private static func add(
        _ comment: String,
        _ latitude: Double,
        _ longitude: Double,
        by person: TestClient
    ) throws -> String {
        let draft: JSON = ["lat": .number(latitude), "lon": .number(longitude), "comment": .string(comment)]
        return try person.request("spot.add", draft)["spot"]["id"].string ?? ""
    }

    /// Waits until spots are loaded, and subscribes to Vienna.
    private static func subscribeToSpots(_ person: TestClient) throws {
        try person.subscribeWhenReady(of: "spots", zoom: 12, Self.vienna)
    }

    @Test("a spot that one adds comes to another who watches its tile, and goes when it is deleted")
    func spots() async throws {
        try await ServerFixture.open { fixture in
            let ada = try fixture.enter(try fixture.signUp("Ada"))
            let bo = try fixture.enter(try fixture.signUp("Bo"))
            try Self.subscribeToSpots(bo)
            try bo.waitUntil("all tiles, empty") { bo.map(of: "spots").tiles.count == 9 }
            #expect(bo.map(of: "spots").features.isEmpty)
            #expect(bo.map(of: "spots").full == 9, "each is sent once, whatever turn it comes with")
            let spot = try Self.add("Blue Bottle", 48.2082, 16.3738, by: ada)
            try bo.waitUntil("the spot") { bo.map(of: "spots").features["s:\(spot)"] != nil }
            let feature = try Frame(Array((bo.map(of: "spots").features["s:\(spot)"] ?? "{}").utf8))
            #expect(feature["properties"]["comment"].string == "Blue Bottle")
            #expect(feature["properties"]["id"].string == spot)
            let other = try Self.add("Next door", 48.2083, 16.3739, by: ada)
            let shown = { Array(bo.map(of: "spots").features.keys) }
            try bo.waitUntil("a cluster") { shown().count == 1 && shown() != ["s:\(spot)"] }
            let cluster = try #require(bo.map(of: "spots").features.keys.first)
            let summary = try bo.request("tiles.cluster", ["layer": "spots", "cluster": .string(cluster)])
            #expect(summary["count"].int == 2)
            #expect((13...17).contains(summary["expansion_zoom"].int ?? 0))
            try ada.request("spot.delete", ["spot": .string(other)])
            try bo.waitUntil("the spot alone") { bo.map(of: "spots").features.keys.elementsEqual(["s:\(spot)"]) }
            let gone = try bo.refusal(of: "tiles.cluster", ["layer": "spots", "cluster": .string(cluster)])
            #expect(gone["code"].string == "gone")
            // A later client sees the same, even after a crash.
            let late = try fixture.enter(try fixture.signUp("Cy"))
            try Self.subscribeToSpots(late)
            try late.waitUntil("all tiles") { late.map(of: "spots").tiles.count == 9 }
            #expect(late.map(of: "spots").features == bo.map(of: "spots").features)
            try fixture.crash()
            let again = try fixture.enter(bo.account)
            try Self.subscribeToSpots(again)
            try again.waitUntil("all tiles") { again.map(of: "spots").tiles.count == 9 }
            #expect(again.map(of: "spots").features == bo.map(of: "spots").features)
        }
    }

    @Test("members are shown to their group alone, as they share; who pauses or leaves is gone at once")
    func members() async throws {
        try await ServerFixture.open { fixture in
            let (people, group) = try fixture.friends("Ada", "Bo", "Cy")
            let (ada, bo, cy) = (people[0], people[1], people[2])
            let layer = "group:\(group)"
            try ada.sendFix(48.2082, 16.3738)
            try bo.sendFix(48.2182, 16.3938)
            for person in [ada, bo] { try person.waitForAck() }
            try cy.subscribeToTiles(of: layer, zoom: 15, [16.36, 48.20, 16.40, 48.22])
            let names = { (person: TestClient) in Set(person.map(of: layer).features.keys) }
            try cy.waitUntil("both") { names(cy) == ["u:\(ada.account.id)", "u:\(bo.account.id)"] }
            // Snapped to the grid: 48.21, 16.37.
            try ada.request("sharing.set", ["mode": "approximate"])
            try cy.waitUntil("Ada on the grid") {
                cy.map(of: layer).features["u:\(ada.account.id)"]?.contains("16.37,48.2") == true
                    || cy.map(of: layer).features["u:\(ada.account.id)"]?.contains("16.3699") == true
            }
            try ada.request("sharing.set", ["mode": "paused"])
            try cy.waitUntil("Bo alone") { names(cy) == ["u:\(bo.account.id)"] }
            try ada.request("sharing.set", ["mode": "live"])
            try bo.sendFix(48.2082, 16.3740, ["accuracy": 5, "at": .now()])
            try bo.waitForAck()
            try bo.request("group.leave", ["group": .string(group)])
            try cy.waitUntil("nobody, for Ada moved not") { names(cy) == [] }
            let question: JSON = ["layer": .string(layer), "zoom": 0, "bbox": [-180, -85, 180, 85]]
            let stranger = try fixture.enter(try fixture.signUp("Di"))
            for outsider in [bo, stranger] {
                #expect(try outsider.refusal(of: "tiles.watch", question)["code"].string == "not_member")
            }
        }
    }

    @Test("an account that is deleted takes its spots and its person off all maps, and a deleted group its layer")
    func deletion() async throws {
        try await ServerFixture.open { fixture in
            let (people, group) = try fixture.friends("Ada", "Bo")
            let (ada, bo) = (people[0], people[1])
            let layer = "group:\(group)"
            try ada.sendFix(48.2082, 16.3738)
            try ada.waitForAck()
            try bo.subscribeToTiles(of: layer, zoom: 12, Self.vienna)
            try Self.subscribeToSpots(bo)
            let spot = try Self.add("Blue Bottle", 48.2082, 16.3738, by: ada)
            try bo.waitUntil("Ada and her spot") {
                bo.map(of: layer).features["u:\(ada.account.id)"] != nil
                    && bo.map(of: "spots").features["s:\(spot)"] != nil
            }
            #expect(try fixture.http("DELETE", "/v1/me", token: ada.account.token).status == 204)
            try bo.waitUntil("neither") {
                bo.map(of: layer).features.isEmpty && bo.map(of: "spots").features.isEmpty
            }
            try bo.request("group.delete", ["group": .string(group)])
            let watch: JSON = ["layer": .string(layer), "zoom": 0, "bbox": [0, 0, 1, 1]]
            #expect(try bo.refusal(of: "tiles.watch", watch)["code"].string == "not_member")
        }
    }

    @Test("what changed while storage was away is on the map when it is back")
    func outage() async throws {
        let cluster = try await ThrowawayCluster.dedicated()
        try await ServerFixture.open(on: cluster) { fixture in
            let ada = try fixture.enter(try fixture.signUp("Ada"))
            try Self.subscribeToSpots(ada)
            let spot = try Self.add("Blue Bottle", 48.2082, 16.3738, by: ada)
            try ada.waitUntil("the spot") { ada.map(of: "spots").features.count == 1 }
            // For this server, these are changes of another server.
            try fixture.query("DELETE FROM muster.spot WHERE id = $1", [.id(spot)])
            try fixture.query(
                """
                INSERT INTO muster.spot (id, author_id, lat, lon, comment, created_at)
                VALUES ($1, $2, 48.2, 16.4, 'Elsewhere', now())
                """,
                [.id("77"), .id(ada.account.id)]
            )
            try await cluster.stopImmediately()
            try await cluster.start()
            try ada.waitUntil("the other spot alone") {
                ada.map(of: "spots").features.keys.elementsEqual(["s:77"])
            }
        }
    }

    @Test("a watch that makes no sense is refused, and the one before stays")
    func refusals() async throws {
        try await ServerFixture.open { fixture in
            let ada = try fixture.enter(try fixture.signUp("Ada"))
            try Self.subscribeToSpots(ada)
            let bad: [(fields: String, code: String, field: String)] = [
                (#""layer":"spots","zoom":23,"bbox":[0,0,1,1]"#, "bad_request", "zoom"),
                (#""layer":"spots","zoom":-1,"bbox":[0,0,1,1]"#, "bad_request", "zoom"),
                (#""layer":"spots","zoom":3,"bbox":[0,1,1,0]"#, "bad_request", "bbox"),
                (#""layer":"spots","zoom":3,"bbox":["NaN",0,1,1]"#, "bad_request", "bbox"),
                (#""layer":"spots","zoom":3,"bbox":[0,0,1]"#, "bad_request", "bbox"),
                (#""layer":"spots","zoom":3,"bbox":[0,0,181,1]"#, "bad_request", "bbox"),
                (#""layer":"spots","zoom":3,"bbox":[0,-91,1,1]"#, "bad_request", "bbox"),
                (#""layer":"spots","zoom":3"#, "bad_request", "bbox"),
                (#""layer":"spots","zoom":12,"bbox":[0,0,10,10]"#, "too_many_tiles", "bbox"),
                (#""layer":"spots","zoom":7,"bbox":[-178,1,1,1]"#, "too_many_tiles", "bbox"),
                (#""layer":"plans","zoom":3,"bbox":[0,0,1,1]"#, "bad_request", "layer"),
                (#""layer":"group","zoom":3,"bbox":[0,0,1,1]"#, "bad_request", "layer"),
                (#""layer":"spots:1","zoom":3,"bbox":[0,0,1,1]"#, "bad_request", "layer"),
                (#""layer":"group:0","zoom":3,"bbox":[0,0,1,1]"#, "bad_request", "layer"),
            ]
            for (number, frame) in bad.enumerated() {
                try ada.sendBroken("{\"type\":\"tiles.watch\",\"id\":\"bad \(number)\",\(frame.fields)}")
                let error = try ada.expect("error") { $0["id"].string == "bad \(number)" }
                #expect(error["code"].string == frame.code, "\(frame.fields)")
                #expect(error["field"].string == frame.field, "\(frame.fields)")
            }
            let spot = try Self.add("Blue Bottle", 48.2082, 16.3738, by: ada)
            try ada.waitUntil("the spot") { ada.map(of: "spots").features["s:\(spot)"] != nil }
            // The maximum number of tiles; one more was refused above.
            #expect(try ada.subscribeToTiles(of: "spots", zoom: 7, [-178, 1, -1, 1])["tiles"].int == 64)
            // Across the date line, where west is greater than east.
            #expect(try ada.subscribeToTiles(of: "spots", zoom: 4, [170, -10, -170, 10])["tiles"].int == 4)
            // At most eight layers.
            let groups = try (0..<8).map { try ada.createGroup("Group \($0)") }
            for group in groups.prefix(7) { try ada.subscribeToTiles(of: "group:\(group)", zoom: 0, [0, 0, 1, 1]) }
            let ninth: JSON = ["layer": .string("group:\(groups[7])"), "zoom": 0, "bbox": [0, 0, 1, 1]]
            #expect(try ada.refusal(of: "tiles.watch", ninth)["code"].string == "conflict")
            try ada.request("tiles.unwatch", ["layer": "spots"])
            try ada.request("tiles.watch", ninth)
            let watch = try fixture.connect(ada.account, subprotocol: "muster.watch.v1")
            try watch.hello(device: "watch", kind: "watch")
            #expect(try watch.refusal(of: "tiles.watch", ninth)["code"].string == "forbidden")
        }
    }
}
