import Foundation
import MusterTestSupport
import Testing

@testable import MusterCore
@testable import MusterServer

@Suite("Imports of the map", .blocking)
struct MapImportTests {
    private static let monaco: String = MusterProcess.checkout.appending(path: "scripts/demo/monaco.osm.pbf").path
    private static let sql: String = MusterProcess.checkout.appending(path: "sql").path
    private static let python: String =
        MusterProcess.checkout.appending(path: ".build/browser-tools/bin/python").path

    /// The answer of `Tests/StandIns/read_map.py`.
    private struct Contents: Decodable {
        let tiles: Int
        let layers: [String: [String: Int]]
        let points: [[String]]
    }

    /// A folder that PostgreSQL's account may enter.
    private static func makeFolder() throws -> PlaceFolder {
        let folder = try PlaceFolder()
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path)
        return folder
    }

    private static func settings(_ folder: PlaceFolder) -> MapImport.Settings {
        MapImport.Settings(folder: MapFolder("\(folder.path)/map"), sqlDirectory: self.sql)
    }

    private static func files(_ folder: PlaceFolder) throws -> Set<String> {
        Set(try FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/map"))
    }

    @Test(
        "Monaco has its streets, its harbour is sea and its rock is land, as other programs read it",
        .enabled(if: FileManager.default.fileExists(atPath: Self.python))
    )
    func monaco() throws {
        let folder = try Self.makeFolder()
        defer { withExtendedLifetime(folder) {} }
        var zooms: Set<Int> = []
        let report = try MapImport(Self.monaco, Self.settings(folder)) { progress in
            if case .tiles(let zoom, let done, let all) = progress, done == all { zooms.insert(zoom) }
        }.run()
        #expect(report.name == "monaco")
        #expect(report.features > 7000)
        #expect(!report.isCut)
        #expect(zooms == Set(0...15))
        #expect(try Self.files(folder) == ["monaco.pmtiles", "lock"])

        let script = MusterProcess.checkout.appending(path: "Tests/StandIns/read_map.py").path
        // Port Hercule, open sea, the rock of the palace, the casino, and a park.
        let points = ["7.4265,43.7345", "7.4400,43.7300", "7.4205,43.7312", "7.4287,43.7393"]
        let read = try Tool.run(Self.python, [script, "\(folder.path)/map/monaco.pmtiles"] + points)
        #expect(read.status == 0, "\(read.output)")
        let contents = try JSONDecoder().decode(Contents.self, from: Data(read.output.utf8))
        #expect(contents.tiles == report.tiles)
        #expect(contents.points[0].contains("ocean:ocean"))
        #expect(contents.points[1] == ["ocean:ocean"])
        #expect(!contents.points[2].contains("ocean:ocean"))
        #expect(!contents.points[3].contains("ocean:ocean"))
        // At least these features of a layer; equal ones of a tile are one.
        let least: [String: [String: Int]] = [
            "15": [
                "ocean": 8, "land": 30, "buildings": 5, "streets": 90, "street_labels": 200, "pois": 200,
                "public_transport": 40, "pier_polygons": 2, "street_polygons": 4, "boundaries": 4, "sites": 2,
                "place_labels": 8, "water_polygons": 4, "water_lines": 1,
            ],
            "14": ["ocean": 4, "streets": 30, "street_labels": 50, "pois": 10],
            "12": ["streets": 4, "place_labels": 1],
            "8": ["ocean": 1, "streets": 1],
        ]
        for (zoom, layers) in least {
            for (layer, count) in layers {
                let found = contents.layers[zoom]?[layer] ?? 0
                #expect(found >= count && found < count * 20, "zoom \(zoom), \(layer): \(found)")
            }
        }
        // Not before their zoom.
        #expect(contents.layers["14"]?["buildings"] == nil)
        #expect(contents.layers["11"]?["street_labels"] == nil)
    }

    @Test("an import replaces the part of its name, and keeps the others")
    func parts() throws {
        let folder = try Self.makeFolder()
        defer { withExtendedLifetime(folder) {} }
        let settings = Self.settings(folder)
        let first = try MapImport(Self.monaco, name: "north", settings).run()
        let copied = try MapImport("\(folder.path)/map/north.pmtiles", name: "south", settings).run()
        #expect(copied.tiles == first.tiles)
        #expect(copied.bytes == first.bytes)
        #expect(try settings.folder.parts().map(\.name) == ["north", "south"])
        try settings.folder.remove("north")
        #expect(try settings.folder.parts().map(\.name) == ["south"])
        let error = #expect(throws: MapError.self) { try settings.folder.remove("north") }
        #expect(error?.message.contains("south") == true)
    }

    /// A file that cannot be imported, and parts of the error.
    struct BadFile: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let name: String
        /// Writes the file.
        let make: @Sendable (String) throws -> Void
        let says: [String]

        /// A file with this content.
        init(_ description: String, _ name: String, _ content: Data, _ says: [String]) {
            self.init(description, name, says) { try content.write(to: URL(filePath: $0)) }
        }

        /// A file that a closure writes to a path.
        init(
            _ description: String,
            _ name: String,
            _ says: [String],
            _ make: @escaping @Sendable (String) throws -> Void
        ) {
            self.testDescription = description
            self.name = name
            self.make = make
            self.says = says
        }

        /// Converts OpenStreetMap XML to PBF, in the order in which it is written.
        static func extract(_ body: String, to path: String) throws {
            let xml = "\(path).osm"
            try Data("<?xml version='1.0'?><osm version='0.6'>\(body)</osm>".utf8).write(to: URL(filePath: xml))
            let made = try Tool.run("/usr/bin/osmium", ["cat", xml, "-o", path])
            guard made.status == 0 else { throw ProgramError(made.output) }
        }
    }

    private static let node: String = "<node id='1' version='1' lat='48' lon='11'><tag k='note' v='a'/></node>"

    static let badFiles: [BadFile] = [
        BadFile("an empty file", "a.osm.pbf", Data(), ["is empty"]),
        BadFile("a web page", "a.osm.pbf", Data("<!DOCTYPE html><p>404".utf8), ["web page"]),
        BadFile("GeoNames", "cities.txt", Data("1\tA\n".utf8), [".osm.pbf", ".pmtiles"]),
        BadFile("no PMTiles", "a.pmtiles", Data("PMTiles?".utf8), ["PMTiles 3"]),
        BadFile("a foreign name", "Ä b.osm.pbf", Data("x".utf8), ["--name"]),
        BadFile("a damaged extract", "a.osm.pbf", ["damaged or truncated"]) { path in
            try Data(contentsOf: URL(filePath: Self.monaco)).prefix(300_000).write(to: URL(filePath: path))
        },
        BadFile("an unsorted extract", "a.osm.pbf", ["osmium sort"]) { path in
            let way = "<way id='5' version='1'><nd ref='1'/><nd ref='1'/><tag k='highway' v='path'/></way>"
            try BadFile.extract(way + Self.node, to: path)
        },
        BadFile("an extract without streets", "a.osm.pbf", ["no streets", "osmium fileinfo"]) { path in
            try BadFile.extract(Self.node, to: path)
        },
        BadFile("tiles of another schema", "a.pmtiles", ["no layer", "streets", "Shortbread"]) { path in
            var writer = try PMTilesWriter(path: path)
            _ = try writer.finish(
                .init(
                    zooms: 0...1,
                    bounds: MapBounds(west: 0, south: 0, east: 1, north: 1),
                    centre: (0, 0, 0),
                    metadata: Array(#"{"vector_layers":[{"id":"roads","fields":{}}]}"#.utf8)
                )
            )
        },
    ]

    @Test("a file that is no map is refused with what helps, and the map stays", arguments: Self.badFiles)
    func badFile(_ bad: BadFile) throws {
        let folder = try Self.makeFolder()
        defer { withExtendedLifetime(folder) {} }
        try FileManager.default.createDirectory(atPath: "\(folder.path)/map", withIntermediateDirectories: true)
        try Data("old".utf8).write(to: URL(filePath: "\(folder.path)/map/a.pmtiles"))
        let path = "\(folder.path)/\(bad.name)"
        try bad.make(path)
        let error = #expect(throws: MapError.self) { try MapImport(path, Self.settings(folder)).run() }
        for part in bad.says {
            #expect(error?.message.contains(part) == true, "\(part) is not in: \(error?.message ?? "")")
        }
        #expect(try String(contentsOfFile: "\(folder.path)/map/a.pmtiles", encoding: .utf8) == "old")
        #expect(try Self.files(folder).subtracting(["lock"]) == ["a.pmtiles"])
    }

    @Test("a disk without space is noticed before the import")
    func fullDisk() throws {
        let folder = try Self.makeFolder()
        defer { withExtendedLifetime(folder) {} }
        var settings = Self.settings(folder)
        settings.freeBytes = { _ in 6 << 20 }
        let error = #expect(throws: MapError.self) { try MapImport(Self.monaco, settings).run() }
        #expect(error?.code == .unwritable)
        #expect(error?.message.contains("--data-dir") == true)
        #expect(try Self.files(folder) == ["lock"])
    }

    @Test("two imports at once are refused")
    func busy() throws {
        let folder = try Self.makeFolder()
        defer { withExtendedLifetime(folder) {} }
        let lock = try Self.settings(folder).folder.lock()
        defer { withExtendedLifetime(lock) {} }
        let error = #expect(throws: MapError.self) { try MapImport(Self.monaco, Self.settings(folder)).run() }
        #expect(error?.code == .busy)
    }
}
