import Foundation
import MusterTestSupport
import MusterWire
import Testing

@Suite(
    "A geocoder elsewhere",
    .blocking,
    .enabled(if: FileManager.default.fileExists(atPath: ProviderFixture.extract))
)
struct GeocoderTests {
    private static let city =
        #"{"type":"FeatureCollection","features":[{"type":"Feature","id":"n1","geometry":{"type":"Point","coordinates":[24.94,60.17]},"properties":{"name":"Helsinki","place":"city","population":"650000"}}]}"#

    /// The decoded requests that the stand-in received.
    private static func asked(_ standIn: StandIn) throws -> [String] {
        let heard = try Tool.run("/usr/bin/curl", ["-sS", standIn.url + "/log"])
        #expect(heard.status == 0, "\(heard.output)")
        let log = try JSONSerialization.jsonObject(with: Data(heard.output.utf8))
        return try #require(log as? [[String: Any]]).compactMap { $0["asked"] as? String }
    }

    @Test("is asked for streets and unknown names alone, coarsely, and its failure is said beside what is known here")
    func asks() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "muster-geocoder-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "town.geojson")
        try Data(Self.city.utf8).write(to: file)
        let migrations = MusterProcess.checkout.appending(path: "sql/migrations").path
        let database = try await ThrowawayCluster.shared().makeDatabase(migratedFrom: migrations)
        let run = try MusterProcess.run(["import", "places", file.path, "--database-url", database])
        #expect(run.status == 0, "\(run.log)")
        let standIn = try StandIn("places.py", [ProviderFixture.extract], hasPackages: true)
        try await ServerFixture.open(["--geocoder-url", standIn.url + "/photon"], database: database) { fixture in
            let account = try fixture.signUp("Ada")
            let ada = try fixture.enter(account)
            let known = try ada.request("geocode", ["q": "Helsinki"])
            #expect(known["places"][0]["source"].string == "geojson-town")
            _ = try ada.request("geocode", ["q": "Kampin k", "complete": true])
            #expect(try Self.asked(standIn) == [], "what is known, or half written, is nobody else's business")

            let found = try ada.request(
                "geocode",
                ["q": "Kampin kappeli, Helsinki", "lat": 60.171_23, "lon": 24.938_76]
            )
            let chapel = found["places"][0]
            #expect(chapel["name"].string == "Kampin kappeli")
            #expect(chapel["id"].string == "osm:w185401488")
            #expect(chapel["match"].string == "exact")
            #expect(found["failed"].count == 0)
            #expect(found["attribution"][1].string == "© OpenStreetMap contributors")
            let asked = try Self.asked(standIn)
            #expect(asked.count == 1)
            #expect(asked.first?.contains("lat=60.2&lon=24.9") == true, "\(asked)")

            // The server matches names that it does not return. Such results are listed after those with an explained
            // match.
            let notify = #"{"part":"Wooden bowl","mode":"alias"}"#
            #expect(try Tool.run("/usr/bin/curl", ["-sS", "-d", notify, standIn.url + "/control"]).status == 0)
            let alias = try ada.request("geocode", ["q": "Wooden bowl, Helsinki"])
            #expect(alias["places"].elements.map { $0["name"].string } == ["Helsinki", "Kampin kappeli"])
            #expect(alias["places"].elements.map { $0["match"].string } == ["partial", "partial"])
            #expect(alias["attribution"].count == 2)

            let http = try #require(
                try fixture.http("GET", "/v1/geocode?q=Kampin%20kappeli", token: account.token).json
            )
            #expect(http["features"][0]["properties"]["name"].string == "Kampin kappeli")

            let order = #"{"part":"/photon","mode":"hang"}"#
            let received = try Tool.run("/usr/bin/curl", ["-sS", "-d", order, standIn.url + "/control"])
            #expect(received.status == 0, "\(received.output)")
            let partial = try ada.request("geocode", ["q": "Nowhere Street 5, Helsinki"])
            #expect(partial["failed"][0].string == "photon")
            #expect(partial["places"][0]["name"].string == "Helsinki")
            #expect(!fixture.server.log.contains("kappeli"), "no query stands in the log")
            let metrics = try fixture.http("GET", "/metrics").text
            #expect(metrics.contains(#"muster_outbound_total{handle="operator",outcome="ok"} 3"#))
            #expect(metrics.contains(#"muster_provider_seconds_count{provider="photon",outcome="timeout"} 1"#))
        }
    }

    @Test("an option that makes no sense ends the program with a word about it")
    func options() throws {
        for (options, word) in [
            (["--geocoder-url", "file:///etc/passwd"], "--geocoder-url"),
            (["--places-url", "https://user@a.example"], "--places-url"), (["--places-kind", "x"], "--places-kind"),
            (["--router-url", "localhost:5000"], "--router-url"), (["--provider-timeout", "5"], "--provider-timeout"),
            (["--geoip", "/nonexistent"], "--geoip"), (["--contact", "somebody"], "--contact"),
            (["--places-key-file", "/nonexistent"], "--places-key-file"),
            (["--share-tiles", "https://a.example/{z}/{x}/{y}.png"], "--share-tiles-attribution"),
            (["--share-tiles-attribution", "© Somebody"], "--share-tiles"),
        ] {
            let run = try MusterProcess.run(["serve", "--listen", "127.0.0.1:0"] + options)
            #expect(run.status == 2, "\(options)")
            #expect(run.log.contains(word), "\(run.log)")
        }
    }
}
