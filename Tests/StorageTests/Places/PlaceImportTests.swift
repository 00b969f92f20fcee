import Foundation
import MusterTestSupport
import MusterWire
import Testing

@testable import MusterCore
@testable import MusterServer
@testable import Postgres

@Suite("Importing places", .blocking)
struct PlaceImportTests {
    private static let few =
        geoNamesLine(1, "Altstadt", others: ["Old Town", "ALT"], at: 48, 11, people: 5000)
        + geoNamesLine(2, "Neustadt", at: 49, 12, people: 9000, code: "PPLA")

    @Test("a file is a gazetteer, which a later file of its name replaces")
    func replace() async throws {
        try await Store.with { store in
            #expect(
                await failure { _ = try await store.directory.geocode(Geocode("x")) }
                    == .unavailable
            )
            let folder = try PlaceFolder()
            let path = try folder.write("DE.txt", Self.few)
            let report = try await store.importPlaces(path)
            #expect(report.source == "geonames-de")
            #expect(report.places == 4, "two towns, their state and their country")
            #expect(try await store.labels("Old Town") == ["Altstadt, Bavaria, Germany"])
            #expect(try await store.labels("ALT").isEmpty, "a code of an airport is no name")
            _ = try folder.write("DE.txt", geoNamesLine(3, "Hochstadt", at: 48, 11))
            try await store.importPlaces(path)
            try await store.importPlaces(path)
            #expect(try await store.labels("Altstadt").isEmpty)
            #expect(try await store.labels("Hochstadt Bavaria").first == "Hochstadt, Bavaria, Germany")
            #expect(try await store.count("ops.gazetteers WHERE rows = 3") == 1)
            let tables = """
                pg_class WHERE relname ~ '^place_' AND relname !~ '_(consent|receiver|mute|state)$' AND relkind = 'r'
                """
            #expect(try await store.count(tables) == 2, "what was replaced is gone")
        }
    }

    @Test("areas lie at the centre of their people")
    func centre() async throws {
        try await Store.with { store in
            let folder = try PlaceFolder()
            try await store.importPlaces(try folder.write("DE.txt", Self.few))
            let germany = try #require(try await store.directory.search(Geocode("Deutschland")).results.first?.place)
            #expect(germany.type == .country)
            let wanted = Coordinate(
                latitude: (48 * 5001 + 49 * 9001) / 14_002,
                longitude: (11 * 5001 + 12 * 9001) / 14_002
            )
            #expect(germany.coordinate.distance(to: wanted) < 2000)
        }
    }

    @Test("a place is of the newest gazetteer, but what came with the machine yields")
    func twoGazetteers() async throws {
        try await Store.with { store in
            let folder = try PlaceFolder()
            let installed = try folder.write("cities15000.txt", Self.few)
            try await store.importPlaces(installed, installed: true)
            try await store.importPlaces(try folder.write("more.txt", geoNamesLine(1, "Altstadt", at: 48.001, 11)))
            #expect(try await store.directory.place("gn:1").source == "geonames-more")
            try await store.importPlaces(installed, installed: true)
            #expect(try await store.directory.place("gn:1").source == "geonames-more")
            #expect(try await store.directory.place("gn:2").source == "geonames-cities15000")
            #expect(try await store.count("muster.place WHERE id = 'gn:1'") == 1)
            #expect(try await store.count("muster.place_name WHERE place = 'gn:1' AND key = 'altstadt'") == 1)
        }
    }

    @Test("each gazetteer counts the places that are still its own")
    func counts() async throws {
        let miscounted = """
            muster.gazetteer g WHERE g.rows <> (SELECT count(*) FROM muster.place p WHERE p.source = g.source)
                OR g.names <> (SELECT count(*) FROM muster.place_name n WHERE n.source = g.source)
            """
        try await Store.with { store in
            let folder = try PlaceFolder()
            let installed = try folder.write("cities15000.txt", Self.few)
            try await store.importPlaces(installed, installed: true)
            try await store.importPlaces(try folder.write("more.txt", geoNamesLine(1, "Altstadt", at: 48.001, 11)))
            #expect(try await store.count("muster.gazetteer WHERE source = 'geonames-cities15000' AND rows < 4") == 1)
            #expect(try await store.count(miscounted) == 0)
            let again = try await store.importPlaces(installed, installed: true)
            #expect(again.places < 4, "one is the newer gazetteer's")
            #expect(try await store.count(miscounted) == 0)
            // All of them.
            let cafe =
                #"{"type":"Feature","id":"n7","geometry":{"type":"Point","coordinates":[11,48]},"properties":{"name":"Café","amenity":"cafe"}}"#
            try await store.importPlaces(try folder.write("one.geojsonl", cafe))
            try await store.importPlaces(try folder.write("two.geojsonl", cafe))
            #expect(try await store.count("muster.gazetteer WHERE source = 'geojson-one' AND rows = 0") == 1)
            #expect(try await store.count(miscounted) == 0)
        }
    }

    @Test("with more than one bad row in a hundred nothing changes, and the lines are named")
    func badRows() async throws {
        try await Store.with { store in
            let folder = try PlaceFolder()
            let path = try folder.write("DE.txt", Self.few)
            try await store.importPlaces(path)
            let good = (10..<109).map { geoNamesLine($0, "Stadt \($0)", at: 48, 11) }
            _ = try folder.write("DE.txt", "# head\n" + good.joined() + "garbage\nmore garbage\n")
            let error = await #expect(throws: PlaceImportError.self) { try await store.importPlaces(path) }
            #expect(error?.code == .badRows)
            #expect(
                error?.message.contains("2 of 101 rows are damaged, in lines 101, 102;") == true,
                "\(error?.message ?? "")"
            )
            #expect(try await store.labels("Altstadt").count == 1, "the old data serve")
            _ = try folder.write("DE.txt", good.joined() + "garbage\n")
            let report = try await store.importPlaces(path)
            #expect(report.badRows == 1 && report.firstBadRows == [100])
            #expect(try await store.labels("Stadt 10").count == 1)
            for text in ["", "# nothing\n", "\n\n"] {
                _ = try folder.write("DE.txt", text)
                await #expect(throws: PlaceImportError.self) { try await store.importPlaces(path) }
            }
            #expect(try await store.labels("Stadt 10").count == 1)
        }
    }

    @Test("files that cannot be read change nothing")
    func unreadable() async throws {
        try await Store.with { store in
            let folder = try PlaceFolder()
            try await store.importPlaces(try folder.write("DE.txt", Self.few))
            for name in ["a.zip", "a.osm.pbf", "a.geojson"] {
                let path = try folder.write(name, "{\"type\":\"FeatureCollection\",\"features\":[{\"type\":")
                await #expect(throws: PlaceImportError.self) { try await store.importPlaces(path) }
            }
            await #expect(throws: PlaceImportError.self) { try await store.importPlaces("\(folder.path)/nowhere.txt") }
            #expect(throws: PlaceImportError.self) { try PlaceFile(path: "a.doc") }
            #expect(try await store.labels("Altstadt").count == 1)
            #expect(try await store.count("muster.gazetteer") == 1)
        }
    }

    @Test("a ZIP file is read as the text in it")
    func zip() async throws {
        try await Store.with { store in
            let folder = try PlaceFolder()
            let lines = (1...20_000).map { geoNamesLine($0, "Stadt \($0)", at: 48, 11) }.joined()
            _ = try folder.write("DE.txt", lines)
            let script =
                "import sys, zipfile; z = zipfile.ZipFile(sys.argv[1] + '/DE.zip', 'w', zipfile.ZIP_DEFLATED); "
                + "z.writestr('readme.txt', 'x'); z.write(sys.argv[1] + '/DE.txt', 'DE.txt'); z.close()"
            let path = folder.path
            let made = try await onWorkerThread { try Tool.run("/usr/bin/python3", ["-c", script, path]) }
            #expect(made.status == 0)
            #expect(try await store.importPlaces("\(path)/DE.zip").places == 20_002)
            let whole = try Data(contentsOf: URL(filePath: "\(path)/DE.zip"))
            try whole.prefix(whole.count / 2).write(to: URL(filePath: "\(path)/DE.zip"))
            await #expect(throws: PlaceImportError.self) { try await store.importPlaces("\(path)/DE.zip") }
            #expect(try await store.labels("Stadt 20000").count == 1)
        }
    }

    @Test("GeoJSON is read by lines and as a collection")
    func geoJSON() async throws {
        try await Store.with { store in
            let folder = try PlaceFolder()
            try await store.importPlaces(try folder.write("DE.txt", Self.few))
            let cafe =
                #"{"type":"Feature","id":"n7","geometry":{"type":"Point","coordinates":[11.01,48.01]},"properties":{"name":"Café Luitpold","name:en":"Luitpold","amenity":"cafe","cuisine":"cake","wikidata":"Q1"}}"#
            let street =
                #"{"type":"Feature","id":33,"geometry":{"type":"LineString","coordinates":[[11,48],[11.002,48.002],[11.004,48.004]]},"properties":{"name":"Hofgraben","highway":"residential"}}"#
            let house =
                #"{"type":"Feature","geometry":{"type":"Polygon","coordinates":[[[11.02,48.02],[11.0202,48.02],[11.0202,48.0202],[11.02,48.02]]]},"properties":{"addr:street":"Hofgraben","addr:housenumber":"4"}}"#
            let lines = try folder.write("x.geojsonl", [cafe, street, house].joined(separator: "\n"))
            #expect(try await store.importPlaces(lines).places == 3)
            let found = try #require(try await store.directory.search(Geocode("cafe luitpold")).results.first?.place)
            #expect(found.id == "osm:n7" && found.type == .other && found.category == .cafe)
            #expect(found.label == "Café Luitpold, Altstadt, Bavaria, Germany")
            #expect(try await store.labels("4 Hofgraben, Altstadt").first == "Hofgraben 4, Altstadt, Bavaria, Germany")
            // Beside the middle of the line, far from all of its points.
            let near = try await store.directory.place(at: Coordinate(latitude: 48.003, longitude: 11.003))
            #expect(near?.place.name == "Hofgraben")
            let whole = #"{"type":"FeatureCollection","features":[\#(cafe),\#(street)]}"#
            #expect(try await store.importPlaces(try folder.write("x.geojson", whole)).places == 2)
            let spoilt = whole.replacing("11.01", with: "911.01")
            await #expect(throws: PlaceImportError.self) {
                try await store.importPlaces(try folder.write("x.geojson", spoilt))
            }
        }
    }

    @Test("an import that is killed half-way leaves what was there")
    func killed() async throws {
        try await Store.with { store in
            let folder = try PlaceFolder()
            let path = try folder.write("DE.txt", Self.few)
            try await store.importPlaces(path)
            let lines = (1...60_000).map { geoNamesLine($0, "Stadt \($0)", others: ["Ort \($0)"], at: 48, 11) }
            _ = try folder.write("DE.txt", lines.joined())
            let (database, now) = (store.connectionString, store.now)
            try await onWorkerThread {
                let session = PostgresSession(connectionString: database, timeout: .seconds(600))
                try session.connectWithRetries()
                var isKilled = false
                var work = PlaceImport(try PlaceFile(path: path), into: session, folders: []) { progress in
                    guard case .read(let places, _) = progress, places > 20_000, !isKilled else { return }
                    isKilled = true
                    let killer = PostgresSession(connectionString: database)
                    try? killer.connectWithRetries()
                    _ = try? killer.execute(
                        "SELECT pg_terminate_backend($1) AS ended",
                        [.int32(session.backendProcess)]
                    )
                }
                #expect(throws: PlaceImportError.self) { try work.run(at: now) }
                #expect(isKilled)
            }
            #expect(try await store.labels("Altstadt").count == 1)
            #expect(try await store.labels("Stadt 7").isEmpty)
            #expect(try await store.importPlaces(path).places > 60_000, "and it can be repeated")
            #expect(try await store.labels("Stadt 7").count == 1)
        }
    }

    @Test("the real extract of Helsinki is read by osmium", .enabled(if: PlaceData.exists))
    func helsinki() async throws {
        try await Store.with { store in
            try await store.importPlaces("\(AreaTable.installedFolder)/cities15000.txt", installed: true)
            let report = try await store.importPlaces(PlaceData.helsinki)
            #expect(report.source == "osm-helsinki")
            #expect(report.badRows == 0)
            func named(_ category: PlaceCategory) async throws -> Int64 {
                try await store.count("muster.place WHERE category = '\(category.rawValue)'")
            }
            #expect(try await named(.restaurant) == 214)
            #expect(try await named(.cafe) >= 88)
            #expect(try await named(.art) >= 26)
            #expect(
                try await store.count("muster.place WHERE source = 'osm-helsinki' AND country_code = 'FI'")
                    == report.places
            )
            let ateneum = try #require(
                try await store.directory.search(Geocode("Ateneum, Helsinki")).results.first?.place
            )
            #expect(ateneum.category == .art)
            #expect(ateneum.coordinate.distance(to: Coordinate(latitude: 60.1702, longitude: 24.9441)) < 200)
            let street = try #require(try await store.labels("Mannerheimintie, Helsinki").first)
            #expect(street.hasPrefix("Mannerheimintie"))
            let spot = try await store.directory.place(at: Coordinate(latitude: 60.1708, longitude: 24.9375))
            #expect(spot?.attribution == ["© OpenStreetMap contributors (openstreetmap.org/copyright)"])
        }
    }
}

/// Place files that `scripts/setup --test` creates.
enum PlaceData {
    private static let folder = MusterProcess.checkout.appending(path: ".build/place-data").path
    static let helsinki = "\(Self.folder)/Helsinki.osm.pbf"
    static let cities500 = "\(Self.folder)/cities500.txt"
    static var exists: Bool { FileManager.default.fileExists(atPath: "\(Self.folder)/done") }
}
