import Foundation
import MusterTestSupport
import Postgres
import Testing

@testable import MusterCore
@testable import MusterServer
@testable import MusterWire

/// A realistic file with flaws, and the expected outcome of its import.
struct ImportedFile: Sendable, CustomTestStringConvertible {
    /// The outcome of an import.
    enum Outcome: Sendable {
        /// The number of imported places, of damaged ones, of ones without a position, and of repeated ids.
        case places(Int, bad: Int = 0, unlocated: Int = 0, repeated: Int = 0)
        /// An error message that contains these parts.
        case refused([String])
    }

    let about: String
    let name: String
    let bytes: [UInt8]
    let outcome: Outcome

    init(_ about: String, _ name: String, _ bytes: [UInt8], _ outcome: Outcome) {
        self.about = about
        self.name = name
        self.bytes = bytes
        self.outcome = outcome
    }

    init(_ about: String, _ name: String, _ text: String, _ outcome: Outcome) {
        self.init(about, name, Array(text.utf8), outcome)
    }

    var testDescription: String { self.about }

    /// A GeoJSON feature.
    static func feature(_ name: String, _ geometry: String, id: String? = nil) -> String {
        let id = id.map { #""id":\#($0),"# } ?? ""
        return #"{"type":"Feature",\#(id)"geometry":\#(geometry),"properties":{"name":"\#(name)"}}"#
    }

    static func point(_ name: String, _ longitude: Double = 11, _ latitude: Double = 48, id: String? = nil) -> String {
        self.feature(name, #"{"type":"Point","coordinates":[\#(longitude),\#(latitude)]}"#, id: id)
    }

    static func collection(_ features: [String]) -> String {
        "{\"type\":\"FeatureCollection\",\"features\":[\n" + features.joined(separator: ",\n") + "\n]}\n"
    }

    private static let town = geoNamesLine(1, "Altstadt", at: 48, 11)
    private static let points = (1...98).map { Self.point("Spot \($0)") }
    private static let utf16 = [UInt8](Self.town.data(using: .utf16LittleEndian) ?? Data())

    static let all = [
        ImportedFile("a byte order mark before GeoNames", "a.txt", "\u{FEFF}" + Self.town, .places(3)),
        ImportedFile("a comment behind a byte order mark", "a.txt", "\u{FEFF}# head\r\n" + Self.town, .places(3)),
        ImportedFile("GeoNames with CRLF", "a.txt", Self.town.replacing("\n", with: "\r\n"), .places(3)),
        ImportedFile("GeoNames without an end of line", "a.txt", String(Self.town.dropLast()), .places(3)),
        ImportedFile(
            "a byte order mark before GeoJSON",
            "a.geojson",
            "\u{FEFF}" + Self.collection([Self.point("A")]),
            .places(1)
        ),
        ImportedFile(
            "GeoJSON lines with CRLF",
            "a.geojsonl",
            Self.point("A") + "\r\n\r\n" + Self.point("B") + "\r\n",
            .places(2)
        ),
        ImportedFile("GeoJSON named .json", "a.json", Self.collection([Self.point("A")]), .places(1)),
        ImportedFile(
            "features without a geometry",
            "a.geojson",
            Self.collection(Self.points + [Self.feature("Lost", "null"), Self.feature("Lost too", "null")]),
            .places(98, unlocated: 2)
        ),
        ImportedFile(
            "features with an empty geometry",
            "a.geojson",
            Self.collection([
                Self.point("A"), Self.feature("B", #"{"type":"Point","coordinates":[]}"#),
                Self.feature("C", #"{"type":"MultiPolygon","coordinates":[]}"#),
                Self.feature("D", #"{"type":"GeometryCollection","geometries":[]}"#),
            ]),
            .places(1, unlocated: 3)
        ),
        ImportedFile(
            "only features without a geometry",
            "a.geojson",
            Self.collection([Self.feature("Lost", "null")]),
            .refused(["a.geojson", "contains no place", "1 of which have no position"])
        ),
        ImportedFile(
            "a collection of geometries, and heights",
            "a.geojson",
            Self.collection([
                Self.feature(
                    "A",
                    #"{"type":"GeometryCollection","geometries":[{"type":"Point","coordinates":[11,48,500]},{"type":"LineString","coordinates":[[11,48],[12,49]]}]}"#
                )
            ]),
            .places(1)
        ),
        ImportedFile(
            "two features with one id",
            "a.geojson",
            Self.collection([Self.point("A", id: "7"), Self.point("B", id: "7"), Self.point("C", id: "\"7\"")]),
            .places(3, repeated: 2)
        ),
        ImportedFile(
            "an id that is another's number",
            "a.geojsonl",
            Self.point("A") + "\n" + Self.point("B", id: "1"),
            .places(2, repeated: 1)
        ),
        ImportedFile(
            "two ids of OpenStreetMap",
            "a.geojsonl",
            Self.point("A", id: "\"n7\"") + "\n" + Self.point("B", id: "\"n7\""),
            .places(2, repeated: 1)
        ),
        ImportedFile(
            "two rows with one number",
            "a.txt",
            Self.town + geoNamesLine(1, "Neustadt", at: 49, 12),
            .places(4, repeated: 1)
        ),
        ImportedFile("an empty file", "a.geojson", "", .refused(["a.geojson", "empty"])),
        ImportedFile("an empty dump", "a.txt", "", .refused(["a.txt", "empty"])),
        ImportedFile("an empty archive", "a.zip", "", .refused(["a.zip", "empty"])),
        ImportedFile("an empty extract", "a.osm.pbf", "", .refused(["a.osm.pbf", "empty"])),
        ImportedFile(
            "only a byte order mark",
            "a.txt",
            "\u{FEFF}",
            .refused(["a.txt", "contains no place", "19 fields"])
        ),
        ImportedFile(
            "UTF-16 with a mark",
            "a.txt",
            [0xFF, 0xFE] + Self.utf16,
            .refused(["a.txt", "UTF-16", "iconv"])
        ),
        ImportedFile("UTF-16 without a mark", "a.txt", Self.utf16, .refused(["a.txt", "UTF-16", "iconv"])),
        ImportedFile(
            "GeoJSON in UTF-16",
            "a.geojson",
            [0xFE, 0xFF] + [UInt8](Self.collection([]).data(using: .utf16BigEndian) ?? Data()),
            .refused(["a.geojson", "UTF-16", "iconv"])
        ),
        ImportedFile(
            "GeoJSON named .txt",
            "a.txt",
            Self.collection([Self.point("A")]),
            .refused(["a.txt", "rename it to .geojson"])
        ),
        ImportedFile(
            "GeoNames named .geojson",
            "a.geojson",
            Self.town,
            .refused(["a.geojson", "not GeoJSON", ".txt"])
        ),
        ImportedFile("GeoNames named .zip", "a.zip", Self.town, .refused(["a.zip", "not a ZIP file", ".txt"])),
        ImportedFile("a web page", "a.osm.pbf", "<!DOCTYPE html><html>", .refused(["a.osm.pbf", "web page"])),
        ImportedFile("a web page with another name", "a.txt", "\n<html><body>404", .refused(["a.txt", "web page"])),
        ImportedFile("gzip", "a.geojson", [0x1F, 0x8B, 8, 0], .refused(["a.geojson", "gunzip"])),
        ImportedFile("gzip by its name", "a.geojson.gz", [0x1F, 0x8B, 8, 0], .refused(["a.geojson.gz", "unpack"])),
        ImportedFile("OpenStreetMap's XML", "a.osm", "<?xml?><osm>", .refused(["a.osm", "osmium cat"])),
        ImportedFile(
            "OpenStreetMap's XML named .osm.pbf",
            "a.osm.pbf",
            "<?xml?><osm>",
            .refused(["a.osm.pbf", "osmium cat"])
        ),
        ImportedFile(
            "something else named .osm.pbf",
            "a.osm.pbf",
            "hello, hello",
            .refused(["a.osm.pbf", "not an OpenStreetMap PBF"])
        ),
        ImportedFile("a document", "a.doc", "x", .refused(["a.doc", "unknown file name extension", ".geojson"])),
        ImportedFile(
            "a ZIP file that is cut off",
            "a.zip",
            [0x50, 0x4B, 3, 4, 20, 0, 0, 0],
            .refused(["a.zip", "truncated"])
        ),
        ImportedFile(
            "GeoJSON that is cut off",
            "a.geojson",
            String(Self.collection([Self.point("A"), Self.point("B")]).dropLast(8)),
            .refused(["a.geojson", "truncated", "line 3"])
        ),
        ImportedFile(
            "a latitude first",
            "a.geojson",
            Self.collection([Self.point("A", 48, 111)]),
            .refused(["a.geojson", "line 2", "first the longitude"])
        ),
        ImportedFile(
            "no feature",
            "a.geojsonl",
            #"{"type":"Point","coordinates":[11,48]}"#,
            .refused(["a.geojsonl", "line 1", "`Feature`"])
        ),
        ImportedFile(
            "a feature without the member geometry",
            "a.geojsonl",
            #"{"type":"Feature","properties":{"name":"A"}}"#,
            .refused(["a.geojsonl", "line 1", "`geometry`"])
        ),
        ImportedFile(
            "commas instead of tabs",
            "a.txt",
            Self.town.replacing("\t", with: ","),
            .refused(["a.txt", "line 1", "1 field", "tabs"])
        ),
        ImportedFile(
            "no names",
            "a.geojson",
            Self.collection([#"{"type":"Feature","geometry":{"type":"Point","coordinates":[1,2]},"properties":null}"#]),
            .refused(["a.geojson", "contains no place", "`name`"])
        ),
    ]
}

@Suite("Files of places, slightly off", .blocking)
struct ImportedFilesTests {
    @Test(
        "what can be read is, and what cannot is refused with the file, the line and what to do",
        arguments: ImportedFile.all
    )
    func file(_ file: ImportedFile) async throws {
        try await Store.with { store in
            let folder = try PlaceFolder()
            defer { withExtendedLifetime(folder) {} }
            let path = "\(folder.path)/\(file.name)"
            try Data(file.bytes).write(to: URL(filePath: path))
            do {
                let report = try await store.importPlaces(path)
                guard case .places(let places, let bad, let unlocated, let repeated) = file.outcome else {
                    Issue.record("\(file.about) was imported")
                    return
                }
                #expect(report.places == places)
                #expect(report.badRows == bad)
                #expect(report.unlocated == unlocated)
                #expect(report.repeatedIDs == repeated)
                #expect(try await store.count("(SELECT id FROM muster.place GROUP BY id HAVING count(*) > 1) d") == 0)
                #expect(try await store.count("muster.gazetteer WHERE rows = \(places)") == 1)
            } catch let error as PlaceImportError {
                guard case .refused(let parts) = file.outcome else {
                    Issue.record("\(file.about) was refused: \(error.message)")
                    return
                }
                for part in parts { #expect(error.message.contains(part), "\(part) is not in: \(error.message)") }
                #expect(try await store.count("muster.gazetteer") == 0)
            }
        }
    }

    @Test("features with one id keep their own names")
    func repeatedIDs() async throws {
        try await Store.with { store in
            let folder = try PlaceFolder()
            defer { withExtendedLifetime(folder) {} }
            let features = ["Anna", "Berta", "Clara"].map { ImportedFile.point("\($0)hof", id: "7") }
            let report = try await store.importPlaces(try folder.write("a.geojson", ImportedFile.collection(features)))
            #expect(report.firstRepeatedIDs == [3, 4])
            for name in ["Annahof", "Bertahof", "Clarahof"] {
                #expect(try await store.labels(name) == [name])
                let id = try #require(try await store.directory.search(Geocode(name)).results.first?.place.id)
                #expect(try await store.directory.place(id).name == name)
            }
        }
    }

    @Test("what lies on both sides of 180° lies there")
    func dateLine() async throws {
        try await Store.with { store in
            let folder = try PlaceFolder()
            defer { withExtendedLifetime(folder) {} }
            func ring(_ west: Double, _ east: Double) -> String {
                "[[[\(west),-18],[\(east),-18],[\(east),-16],[\(west),-16],[\(west),-18]]]"
            }
            let features = [
                ImportedFile.feature(
                    "Fiji",
                    #"{"type":"MultiPolygon","coordinates":[\#(ring(177, 180)),\#(ring(-180, -178))]}"#
                ),
                ImportedFile.feature(
                    "Reef",
                    #"{"type":"MultiLineString","coordinates":[[[179.5,-17],[180,-17]],[[-180,-17],[-179.7,-17]]]}"#
                ),
                ImportedFile.feature(
                    "Ferry",
                    #"{"type":"LineString","coordinates":[[179.9,-17],[-179.9,-17],[-179.8,-17]]}"#
                ),
                ImportedFile.feature("Wide", #"{"type":"Polygon","coordinates":\#(ring(-100, 100))}"#),
            ]
            try await store.importPlaces(try folder.write("a.geojson", ImportedFile.collection(features)))
            for (name, west, east, middle) in [
                ("Fiji", 177.0, -178.0, 179.5), ("Reef", 179.5, -179.7, 179.9), ("Ferry", 179.9, -179.8, -179.9),
                ("Wide", -100, 100, 0),
            ] {
                let place = try #require(try await store.directory.search(Geocode(name)).results.first?.place)
                #expect(
                    place.extent
                        == Place.Extent(
                            west: west,
                            south: name == "Fiji" || name == "Wide" ? -18 : -17,
                            east: east,
                            north: name == "Fiji" || name == "Wide" ? -16 : -17
                        )
                )
                #expect(abs(place.coordinate.longitude - middle) < 1e-6, "\(name) lies at \(place.coordinate)")
                #expect(place.coordinate.latitude == -17)
            }
        }
    }

    @Test("a gazetteer on both sides of 180° covers what lies between")
    func dateLineGazetteer() async throws {
        try await Store.with { store in
            let folder = try PlaceFolder()
            defer { withExtendedLifetime(folder) {} }
            let features = [ImportedFile.point("A", 177, -17), ImportedFile.point("B", -178, -16)]
            try await store.importPlaces(try folder.write("a.geojson", ImportedFile.collection(features)))
            #expect(try await store.count("muster.gazetteer WHERE extent = ARRAY[177, -17, -178, -16]::float8[]") == 1)
        }
    }

    /// Converts OpenStreetMap XML to PBF.
    private static func extract(_ body: String, in folder: PlaceFolder, named name: String) async throws -> String {
        let xml = try folder.write("\(name).osm", "<?xml version='1.0'?><osm version='0.6'>\(body)</osm>")
        let path = "\(folder.path)/\(name).osm.pbf"
        let made = try await onWorkerThread { try Tool.run("/usr/bin/osmium", ["cat", xml, "-o", path]) }
        #expect(made.status == 0, "\(made)")
        return path
    }

    private static func node(_ id: Int, _ latitude: Double, _ longitude: Double, tags: String = "") -> String {
        "<node id='\(id)' version='1' lat='\(latitude)' lon='\(longitude)'>\(tags)</node>"
    }

    @Test("a relation of OpenStreetMap on both sides of 180° lies there")
    func dateLineRelation() async throws {
        try await Store.with { store in
            let folder = try PlaceFolder()
            defer { withExtendedLifetime(folder) {} }
            let nodes = [(177.0, 1), (180.0, 5), (-180.0, 9), (-178.0, 13)].map { longitude, id in
                Self.node(id, -18, longitude) + Self.node(id + 1, -16, longitude)
            }.joined()
            func way(_ id: Int, _ west: Int, _ east: Int) -> String {
                let refs = [west, east, east + 1, west + 1, west].map { "<nd ref='\($0)'/>" }.joined()
                return "<way id='\(id)' version='1'>\(refs)</way>"
            }
            let relation =
                "<relation id='1' version='1'><member type='way' ref='1' role='outer'/><member type='way' ref='2' role='outer'/>"
                + "<tag k='type' v='multipolygon'/><tag k='place' v='island'/><tag k='name' v='Taveuni'/></relation>"
            let path = try await Self.extract(
                nodes + way(1, 1, 5) + way(2, 9, 13) + relation,
                in: folder,
                named: "fiji"
            )
            #expect(try await store.importPlaces(path).places == 1)
            let place = try #require(try await store.directory.search(Geocode("Taveuni")).results.first?.place)
            #expect(place.id == "osm:r1")
            #expect(place.extent == Place.Extent(west: 177, south: -18, east: -178, north: -16))
            #expect(abs(place.coordinate.longitude - 179.5) < 1e-6)
        }
    }

    @Test("an extract that is not sorted, or holds a history, is refused with what helps")
    func unsorted() async throws {
        try await Store.with { store in
            let folder = try PlaceFolder()
            defer { withExtendedLifetime(folder) {} }
            let town = "<tag k='place' v='town'/><tag k='name' v='A'/>"
            let way = "<way id='5' version='1'><nd ref='1'/><nd ref='2'/><tag k='highway' v='path'/></way>"
            for (name, body, parts) in [
                (
                    "ways", way + Self.node(1, 48, 11),
                    ["Found a node after a way", "osmium sort", "ways-sorted.osm.pbf"]
                ),
                ("nodes", Self.node(2, 48, 11, tags: town) + Self.node(1, 48, 11), ["out of order", "osmium sort"]),
                ("twice", Self.node(1, 48, 11, tags: town) + Self.node(1, 49, 11), ["twice", "osmium time-filter"]),
            ] {
                let path = try await Self.extract(body, in: folder, named: name)
                let error = await #expect(throws: PlaceImportError.self) { try await store.importPlaces(path) }
                for part in parts + [path] {
                    #expect(error?.message.contains(part) == true, "\(part) is not in: \(error?.message ?? "")")
                }
            }
            let whole = try await Self.extract(Self.node(1, 48, 11, tags: town), in: folder, named: "whole")
            #expect(try await store.importPlaces(whole).places == 1)
            let bytes = try Data(contentsOf: URL(filePath: whole))
            try bytes.prefix(bytes.count - 20).write(to: URL(filePath: whole))
            let error = await #expect(throws: PlaceImportError.self) { try await store.importPlaces(whole) }
            #expect(error?.message.contains("truncated") == true, "\(error?.message ?? "")")
            #expect(try await store.labels("A").count == 1, "what was there serves")
        }
    }
}
