import Foundation
import ImagingWire
import MusterTestSupport
import Testing

@testable import Imaging
@testable import MusterCore

@Suite("Streets on share pictures")
struct StreetDrawingTests {
    private static let isStarted = PictureMaker.start() && PictureMaker.canMake(.share)
    private static let fixtures = MusterProcess.checkout.appending(path: "Tests/Fixtures")
    private static let monaco = SharePicture.Part(west: 7.4084, south: 43.7232, east: 7.4453, north: 43.7541)

    /// Two people at the harbour of Monaco, without names of their own beside them.
    private static let plain = SampleShare.picture([
        SampleShare.person("Ada", 0, at: 43.7325, 7.4205), SampleShare.person("Ben", 1, at: 43.7380, 7.4300),
    ])

    /// The picture on the tiles of the demo's map; `change` may change a tile.
    private static func onStreets(_ change: (TileAddress, [UInt8]) -> [UInt8] = { $1 }) throws -> SharePicture {
        var picture = self.plain
        for tile in ShareMap(showing: picture.people.map(\.place)).tiles(upTo: 15) {
            let name = "monaco/\(tile.zoom)-\(tile.x)-\(tile.y).mvt"
            guard let file = try? Data(contentsOf: self.fixtures.appending(path: name)) else { continue }
            picture.tiles.append(SharePicture.Tile(tile, file: change(tile, Array(file))))
        }
        try #require(picture.tiles.count >= 6)
        picture.parts = [self.monaco]
        picture.tileAttribution = "Muster · © OpenStreetMap contributors"
        return picture
    }

    private func drawn(_ picture: SharePicture) throws -> [UInt8] {
        try #require(Self.isStarted, "libvips, or a font of scripts/setup, is missing")
        let bytes = picture.encoded
        let pictures = try bytes.withUnsafeBytes { bytes in
            try Result { () throws(ImagingRefusal) in try PictureMaker.make(.share, of: bytes) }.get()
        }
        return pictures[0].bytes
    }

    /// The colours of a picture at these positions.
    private func colours(_ png: [UInt8], at places: [Coordinate]) throws -> [UInt32] {
        let map = ShareMap(showing: Self.plain.people.map(\.place))
        let pixels = places.map { place in
            map.pixel(x: place.longitude / 360 + 0.5, y: ShareMap.southwards(place.latitude), copy: 0)
        }
        for pixel in pixels {
            try #require((0..<1200).contains(pixel.x) && (0..<630).contains(pixel.y), "\(pixel) is not on the picture")
        }
        return try png.withUnsafeBytes { bytes in
            let image = try DecodedImage(decoding: bytes, side: ShareMap.width, fit: .within)
            return pixels.map { pixel in
                image.color(x: Int(pixel.x), y: Int(pixel.y)).reduce(0) { $0 << 8 | UInt32($1) }
            }
        }
    }

    private static func at(_ latitude: Double, _ longitude: Double) -> Coordinate {
        Coordinate(latitude: latitude, longitude: longitude)
    }

    // MARK: - The design

    private struct Design: Decodable {
        struct Rule: Decodable, Equatable {
            let from: Double
            let size: Double
            let rank: Double
            let to: Double?
        }

        let colours: [String: String]
        let haloWidth: Double
        let zooms: [Double]
        let widths: [String: [Double]]
        let edgeWidths: [Double]
        let roads: [String]
        let roadColours: [String: [[String?]]]
        let drawnKinds: [String: String]
        let areas: [[String]]
        let streetNames: [String: Rule]
        let placeNames: [String: Rule]
    }

    private static func hex(_ colour: StreetStyle.Colour) -> String {
        "#" + String(colour.rgb | 0x1000000, radix: 16).dropFirst()
    }

    private static func rules(_ rules: [String: StreetStyle.NameRule]) -> [String: Design.Rule] {
        rules.mapValues { rule in
            Design.Rule(from: rule.from, size: rule.size, rank: rule.rank, to: rule.to.isFinite ? rule.to : nil)
        }
    }

    @Test("pictures have the design of the page")
    func design() throws {
        let json = try Data(contentsOf: Self.fixtures.appending(path: "streets.json"))
        let design = try JSONDecoder().decode(Design.self, from: json)
        let colours = StreetStyle.Colour.allCases.map { ($0.rawValue, Self.hex($0)) }
        #expect(Dictionary(uniqueKeysWithValues: colours) == design.colours)
        #expect(StreetStyle.haloWidth == design.haloWidth)
        #expect(StreetStyle.roads == design.roads)
        for (kind, widths) in design.widths {
            for (zoom, width) in zip(design.zooms, widths) {
                #expect(abs(StreetStyle.width(kind, zoom) - width) < 1e-5, "\(kind) at \(zoom)")
            }
        }
        for (zoom, width) in zip(design.zooms, design.edgeWidths) {
            #expect(abs(StreetStyle.edgeWidth(zoom) - width) < 1e-5)
        }
        for (kind, rows) in design.roadColours {
            for (zoom, row) in zip(design.zooms, rows) {
                let (fill, edge) = StreetStyle.roadColours(kind, zoom)
                #expect([Self.hex(fill), edge.map { Self.hex($0) }] == row, "\(kind) at \(zoom)")
            }
        }
        for (kind, drawn) in design.drawnKinds { #expect(StreetStyle.drawnKind(kind) == drawn) }
        #expect(StreetStyle.areas.map { [$0.kind, Self.hex($0.colour)] } == design.areas)
        #expect(Self.rules(StreetStyle.streetNames) == design.streetNames)
        #expect(Self.rules(StreetStyle.placeNames) == design.placeNames)
    }

    // MARK: - Pictures

    @Test("the harbour of Monaco is water, its rock is land, and the picture is as it was drawn before")
    func harbour() throws {
        let png = try self.drawn(Self.onStreets())
        let places = [Self.at(43.7342, 7.4262), Self.at(43.7330, 7.4300)]
        let water = ShareDrawing.faded(.water)
        #expect(try self.colours(png, at: places) == [water, water])
        let land = try self.colours(png, at: [Self.at(43.7316, 7.4196), Self.at(43.7375, 7.4225)])
        #expect(!land.contains(water))

        let reference = try Data(contentsOf: Self.fixtures.appending(path: "monaco/picture.jpg"))
        let (found, wanted) = (try Self.small(png), try Self.small(Array(reference)))
        try #require(found.count == wanted.count)
        let differences = zip(found, wanted).map { Self.difference($0, $1) }
        let mean = Double(differences.reduce(0, +)) / Double(differences.count)
        let far = differences.count { $0 > 32 }
        if mean >= 3 || far * 100 >= differences.count {
            let path = FileManager.default.temporaryDirectory.appending(path: "share-picture-of-monaco.png")
            try Data(png).write(to: path)
            Issue.record("mean difference \(mean), far ones \(far); the picture is in \(path.path)")
        }
    }

    /// The largest difference of two colours in red, green or blue.
    private static func difference(_ one: UInt32, _ other: UInt32) -> Int {
        func part(_ colour: UInt32, _ shift: UInt32) -> Int { Int(colour >> shift & 0xFF) }
        let shifts: [UInt32] = [16, 8, 0]
        return shifts.map { abs(part(one, $0) - part(other, $0)) }.max() ?? 0
    }

    /// The pixels of a picture that is reduced, so that the edges of letters do not matter.
    private static func small(_ file: [UInt8]) throws -> [UInt32] {
        let pixels = try file.withUnsafeBytes { try DecodedImage(decoding: $0, side: 300, fit: .within).pixels() }
        return try #require(pixels)
    }

    @Test("without a map of streets a picture is as without tiles, and tiles of no streets too")
    func nothing() throws {
        let plain = try self.drawn(Self.plain)
        #expect(try self.drawn(Self.onStreets()) != plain)
        var none = try Self.onStreets()
        none.tiles = []
        #expect(try self.drawn(none) == plain)
        let table: [(name: String, bytes: [UInt8])] = [
            ("HTML", Array("<html>".utf8)), ("a PNG", SamplePicture.png(256, 256)),
            ("a length beyond the end", [0x1A, 200, 1]),
            ("an extent of 0", [0x1A, 8, 0x0A, 4] + Array("land".utf8) + [0x28, 0]),
            ("a type of no field", [0x1F, 0]), ("a number without an end", [0x1A, 0x80]),
        ]
        for row in table {
            let damaged = try Self.onStreets { _, _ in row.bytes }
            #expect(try self.drawn(damaged) == plain, "\(row.name)")
        }
    }

    @Test("a damaged tile leaves its place empty, and the others where they are")
    func damagedTile() throws {
        let whole = try self.drawn(Self.onStreets())
        let damaged = try self.drawn(Self.onStreets { $0.x == 17059 && $0.y == 11948 ? [0xFF] : $1 })
        #expect(damaged != whole)
        let (harbour, east) = (Self.at(43.7342, 7.4252), Self.at(43.7333, 7.4320))
        let (water, land) = (ShareDrawing.faded(.water), ShareDrawing.faded(.land))
        #expect(try self.colours(whole, at: [harbour, east]) == [water, water])
        #expect(try self.colours(damaged, at: [harbour, east]) == [land, water])
    }

    @Test("beyond the parts of the map the ground has a colour of its own")
    func beyond() throws {
        var picture = try Self.onStreets()
        picture.parts = [SharePicture.Part(west: 7.4230, south: 43.7232, east: 7.4453, north: 43.7541)]
        picture.tiles = picture.tiles.filter { $0.place.x >= 17060 }
        let found = try self.colours(try self.drawn(picture), at: [Self.at(43.7342, 7.4180), Self.at(43.7342, 7.4262)])
        #expect(found == [ShareDrawing.faded(.beyond), ShareDrawing.faded(.land)])
    }

    @Test("whatever is in a tile, its decoder gives features or nothing at once")
    func mutations() throws {
        var generator = SeededBytes(seed: 7)
        let tiles = try Self.onStreets().tiles.map(\.file)
        var (decoded, refused) = (0, 0)
        let start = ContinuousClock.now
        for round in 0..<2_000 {
            var bytes = tiles[round % tiles.count]
            for _ in 0..<(1 + round % 8) {
                bytes[Int(generator.next() % UInt64(bytes.count))] = UInt8(generator.next() & 255)
            }
            if round % 3 == 0 { bytes.removeLast(Int(generator.next() % UInt64(bytes.count))) }
            if VectorTile(decoding: bytes, layers: ShareDrawing.streetLayers) == nil {
                refused += 1
            } else {
                decoded += 1
            }
        }
        #expect(decoded > 100 && refused > 100, "\(decoded) and \(refused)")
        #expect(ContinuousClock.now - start < .seconds(100))
    }

    @Test("a tile is decoded as it was encoded, and only the wanted layers")
    func decoding() throws {
        // A layer "a" with the extent 512, the key "kind", the value "x", and a line from 1, 2 to 4, 6.
        let layer: [UInt8] =
            [0x0A, 1, 0x61, 0x12, 14, 0x12, 2, 0, 0, 0x18, 2, 0x22, 6, 0x09, 2, 4, 0x0A, 6, 8]
            + [0x1A, 4, 0x6B, 0x69, 0x6E, 0x64, 0x22, 3, 0x0A, 1, 0x78, 0x28, 0x80, 4]
        let bytes = [0x1A, UInt8(layer.count)] + layer
        let tile = try #require(VectorTile(decoding: bytes, layers: ["a"]))
        #expect(tile["a"].count == 1)
        #expect(tile["a"].first?.text("kind") == "x")
        #expect(tile["a"].first?.parts == [VectorTile.Part(points: [[8, 16], [32, 48]])])
        #expect(try #require(VectorTile(decoding: bytes, layers: ["b"]))["a"].isEmpty)
        #expect(try #require(VectorTile(decoding: bytes + bytes, layers: ["a"]))["a"].count == 2)
    }
}

/// Bytes that are the same in each run.
private struct SeededBytes {
    private var state: UInt64

    init(seed: UInt64) { self.state = seed }

    mutating func next() -> UInt64 {
        self.state = self.state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return self.state >> 33
    }
}
