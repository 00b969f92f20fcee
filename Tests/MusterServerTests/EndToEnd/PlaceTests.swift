import Foundation
import MusterTestSupport
import Testing

@testable import MusterServer
@testable import MusterWire

@Suite("Places", .blocking)
struct PlaceTests {
    private static let installed = "\(AreaTable.installedFolder)/cities15000.txt"
    private static let queries = MusterProcess.checkout.appending(path: "Tests/Fixtures/geocode-queries.tsv").path
    private static let moreQueries = MusterProcess.checkout.appending(path: "Tests/Fixtures/geocode-more.tsv").path
    private static let data = MusterProcess.checkout.appending(path: ".build/place-data").path

    /// Runs `body` on a database with these place files.
    private static func with(_ files: [String], _ body: (String) async throws -> Void) async throws {
        let cluster = try await ThrowawayCluster.shared()
        let migrations = MusterProcess.checkout.appending(path: "sql/migrations").path
        let database = try await cluster.makeDatabase(migratedFrom: migrations)
        let run = try MusterProcess.run(
            ["import", "places"] + files + ["--database-url", database],
            environment: ["MUSTER_PLACES_DIR": AreaTable.installedFolder],
            within: 600_000
        )
        #expect(run.status == 0, "\(run.log)")
        try await body(database)
    }

    @Test("all queries of the table find what they must among the cities that come with the machine")
    func defaultCities() async throws {
        try await Self.with([Self.installed]) { database in
            let check = try MusterProcess.run(["geocode", "--check", Self.queries, "--database-url", database])
            #expect(check.status == 0, "\(check.output)\(check.log)")
            let more = try MusterProcess.run(["geocode", "--check", Self.moreQueries, "--database-url", database])
            #expect(more.status == 0, "\(more.output)\(more.log)")
            let plain = try MusterProcess.run([
                "geocode", "--check", Self.queries, "--plain", "--database-url", database,
            ])
            let passed = plain.output.split(separator: "\n").count { $0.hasPrefix("pass") }
            #expect(passed < 45, "similarity alone finds fewer, or the queries are too easy")
            let explained = try MusterProcess.run(
                ["geocode", "Paris, TX", "--bias", "33,-96.8", "--explain", "--limit", "1", "--database-url", database]
            )
            for part in [
                "Paris, Texas", "named by 'paris' (t 1.00)", "'tx' (0.98)", "coverage 0.99", "importance", "distance 1",
            ] {
                #expect(explained.output.contains(part), "\(part) is not in\n\(explained.output)")
            }
        }
    }

    @Test("and among 235,000 places", .enabled(if: FileManager.default.fileExists(atPath: "\(PlaceTests.data)/done")))
    func manyCities() async throws {
        try await Self.with([Self.installed, "\(Self.data)/cities500.txt"]) { database in
            for queries in [Self.queries, Self.moreQueries] {
                let check = try MusterProcess.run(["geocode", "--check", queries, "--database-url", database])
                #expect(check.status == 0, "\(check.output)\(check.log)")
            }
        }
    }

    @Test("an extract that was imported first keeps no server from importing the cities of the machine")
    func besideAnExtract() async throws {
        try await Self.with([MusterProcess.checkout.appending(path: "Tests/Fixtures/town.geojson").path]) { database in
            try await ServerFixture.open(["--places-dir", AreaTable.installedFolder], database: database) { fixture in
                #expect(try eventually(within: 300_000) { try fixture.count(of: "muster.gazetteer") == 2 })
                let ada = try fixture.enter(try fixture.signUp("Ada"))
                #expect(
                    try ada.request("geocode", ["q": "Paris, TX"])["places"][0]["id"].string == "gn:4717560"
                )
                #expect(try fixture.count(of: "muster.place WHERE source = 'geojson-town'") > 0)
            }
        }
    }

    @Test("a first import that fails is tried again while the server runs")
    func importedLater() async throws {
        try await Self.with([MusterProcess.checkout.appending(path: "Tests/Fixtures/town.geojson").path]) { database in
            try await ServerFixture.open(database: database) { fixture in
                try fixture.query("ALTER FUNCTION muster.begin_gazetteer(text) RENAME TO begin_nothing")
            }
            try await ServerFixture.open(["--places-dir", AreaTable.installedFolder], database: database) { fixture in
                #expect(
                    eventually(within: 60_000) { fixture.server.log.contains("the gazetteer could not be imported") }
                )
                try fixture.query("ALTER FUNCTION muster.begin_nothing(text) RENAME TO begin_gazetteer")
                #expect(try eventually(within: 300_000) { try fixture.count(of: "muster.gazetteer") == 2 })
            }
        }
    }

    @Test(
        "a server without places imports those of the machine beside serving, and then finds them by frame and by HTTP"
    )
    func requests() async throws {
        try await ServerFixture.open(["--places-dir", AreaTable.installedFolder]) { fixture in
            let account = try fixture.signUp("Ada")
            let paris: JSON = ["q": "Paris, TX"]
            // The import takes a minute on a slow machine. Until it is done, requests are answered with one error.
            let isImported = try eventually(within: 300_000) {
                guard try fixture.count(of: "muster.gazetteer") == 0 else { return true }
                return false
            }
            #expect(isImported, "\(fixture.server.log)")
            // Only now, because a client that answers no ping for so long is disconnected.
            let ada = try fixture.enter(account)
            let answer = try ada.request("geocode", paris)
            let place = answer["places"][0]
            #expect(place["id"].string == "gn:4717560")
            #expect(place["label"].string == "Paris, Texas, United States")
            #expect(place["type"].string == "city")
            #expect(place["match"].string == "exact")
            #expect(answer["attribution"][0].string?.contains("CC BY 4.0") == true)
            #expect(answer["failed"].count == 0)
            #expect(
                try ada.request("place.get", ["place": "gn:4717560"])["place"]["label"].string == place["label"].string
            )
            #expect(try ada.refusal(of: "place.get", ["place": "gn:0"])["code"].string == "not_found")
            let typed = try ada.request("geocode", ["q": "barc", "complete": true, "limit": 1, "lat": 41, "lon": 2])
            #expect(typed["places"][0]["name"].string == "Barcelona")
            #expect(try ada.request("geocode", ["q": "xqzvkw plmrt"])["places"].count == 0)
            // One coordinate alone is not valid. Other malformed frames are tested with the wire.
            for (fields, field) in [(["q": "x", "lat": 5], "lon"), (["q": "x", "lon": 5], "lat")] as [(JSON, String)] {
                let refusal = try ada.refusal(of: "geocode", fields)
                #expect(refusal["code"].string == "bad_request")
                #expect(refusal["field"].string == field)
            }
            for text in [
                "48.2082, 16.3738",
                "https://www.openstreetmap.org/?mlat=48.2082&mlon=16.3738&x=\(String(repeating: "x", count: 300))",
            ] {
                let here = try ada.request("geocode", ["q": .string(text)])["places"][0]
                #expect(here["lat"].double == 48.2082 && here["lon"].double == 16.3738)
                #expect(here["id"].string == "geo:48.2082,16.3738" && here["source"].string == "position")
                #expect(here["label"].string?.hasPrefix("near Vienna") == true, "\(here)")
                #expect(
                    try ada.request("place.get", ["place": "geo:48.2082,16.3738"])["place"]["label"].string
                        == here["label"].string
                )
            }
            #expect(try ada.request("geocode", ["q": "98.2082, 16.3738"])["places"].count == 0)
            let long: JSON = ["q": .string(String(repeating: "a", count: 201))]
            #expect(try ada.refusal(of: "geocode", long)["field"].string == "q")
            try self.http(fixture, account.token)
            let metrics = try fixture.http("GET", "/metrics").text
            #expect(metrics.contains(#"muster_geocode_seconds_count{match="exact"}"#))
            #expect(metrics.contains(#"muster_geocode_seconds_count{match="none"} 2"#))
            #expect(!fixture.server.log.contains("xqzvkw"), "no query stands in the log")
        }
    }

    private func http(_ fixture: ServerFixture, _ token: String) throws {
        #expect(try fixture.http("GET", "/v1/geocode?q=Paris").status == 401)
        let point = try #require(try fixture.http("GET", "/v1/geocode?q=geo:48.2082,16.3738", token: token).json)
        #expect(point["features"][0]["geometry"]["coordinates"][1].double == 48.2082)
        let found = try #require(
            try fixture.http("GET", "/v1/geocode?q=Sao%20Paolo%20Brasil&limit=1", token: token).json
        )
        #expect(found["type"].string == "FeatureCollection")
        let feature = found["features"][0]
        #expect(feature["geometry"]["coordinates"][0].double == feature["properties"]["lon"].double)
        #expect(feature["properties"]["name"].string == "São Paulo")
        #expect(feature["properties"]["countrycode"].string == "BR")
        #expect(feature["properties"]["country"].string == "Brazil")
        #expect(found["attribution"].count == 1)
        let near = try #require(try fixture.http("GET", "/v1/reverse?lat=48.85&lon=2.35", token: token).json)
        #expect(near["features"].count == 1)
        #expect(near["features"][0]["properties"]["countrycode"].string == "FR")
        let sea = try #require(try fixture.http("GET", "/v1/reverse?lat=30&lon=-40", token: token).json)
        #expect(sea["features"].count == 0)
        for path in [
            "/v1/geocode", "/v1/geocode?q=", "/v1/geocode?q=x&lat=1", "/v1/reverse?lat=91&lon=0",
            "/v1/reverse?lat=nan&lon=0",
        ] {
            #expect(try fixture.http("GET", path, token: token).status == 400, "\(path)")
        }
    }

    @Test("without places, and too often, nothing is looked up")
    func unavailable() async throws {
        try await ServerFixture.open { fixture in
            let account = try fixture.signUp("Ada")
            let ada = try fixture.enter(account)
            let refusal = try ada.refusal(of: "geocode", ["q": "Paris"])
            #expect(refusal["code"].string == "unavailable")
            #expect(refusal["retry"].bool == true)
            #expect(try fixture.http("GET", "/v1/geocode?q=Paris", token: account.token).status == 503)
            #expect(try fixture.http("GET", "/v1/reverse?lat=1&lon=1", token: account.token).status == 503)
            // A rate of its own would permit the second way more requests than are made here.
            let statuses = try repeatUntilRefused(most: 15, where: { $0 == 429 }) { attempt in
                for number in 0..<60 {
                    try ada.send("geocode", ["q": "Paris", "id": .integer(Int64(1_000 + 60 * attempt + number))])
                }
                return try fixture.http("GET", "/v1/geocode?q=Paris", token: account.token).status
            }
            #expect(statuses.last == 429, "one rate for both ways")
            try ada.catchUp()
            let codes = ada.received.filter { $0.type == "error" }.compactMap { $0["code"].string }
            #expect(Set(codes) == ["unavailable", "rate_limited"])
        }
    }
}
