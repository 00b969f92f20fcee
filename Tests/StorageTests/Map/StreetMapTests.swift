import EventLoop
import Foundation
import MusterTestSupport
import Testing

@testable import MusterCore
@testable import MusterServer

@Suite("The parts of the map")
struct StreetMapTests {

    /// Writes a part with one tile; that of another program has no hash of its tiles.
    private static func write(
        _ name: String,
        _ content: [UInt8],
        east: Double = 2,
        isForeign: Bool = false,
        in folder: PlaceFolder
    ) throws {
        let tile = try #require(TileAddress(zoom: 3, x: 1, y: 2))
        var writer = try PMTilesWriter(path: "\(folder.path)/\(name).pmtiles")
        try writer.append(tile, Gzip.deflated(content))
        let metadata = MapSchema.Metadata(
            attribution: "© A",
            layers: MapSchema.layers,
            content: isForeign ? nil : "\(writer.hash)"
        )
        _ = try writer.finish(
            .init(
                zooms: 0...15,
                bounds: MapBounds(west: 1, south: 1, east: east, north: 2),
                centre: (5, 1.5, 1.5),
                metadata: Array(try JSONEncoder().encode(metadata))
            )
        )
    }

    /// The content of the tile; nil when there is no map.
    private static func read(_ edition: MapEdition?) throws -> [UInt8]? {
        let tile = try #require(TileAddress(zoom: 3, x: 1, y: 2))
        guard let edition, let content = try edition.tile(tile) else { return nil }
        return Gzip.inflated(content, limit: 1000)
    }

    @Test("parts are joined in the order of their names, and each change has a version of its own")
    func parts() throws {
        let folder = try PlaceFolder()
        defer { withExtendedLifetime(folder) {} }
        let map = StreetMap(folder: MapFolder(folder.path), logger: Logger(level: .error))
        map.refresh()
        #expect(map.edition == nil)
        var versions: [String] = []
        func expect(_ content: [UInt8]?) throws {
            map.refresh()
            #expect(try Self.read(map.edition) == content)
            #expect(try Self.read(map.edition) == content)
            versions.append(map.edition?.version ?? "")
        }
        try Self.write("b", [1, 2], in: folder)
        try expect([1, 2])
        try Self.write("a", [3], east: 3, in: folder)
        try expect([3, 1, 2])
        #expect(map.edition?.largest.name == "a")
        #expect(map.edition?.bounds == MapBounds(west: 1, south: 1, east: 3, north: 2))
        #expect(map.edition?.attribution == "© A")
        #expect(map.edition?.layers.map(\.id) == MapSchema.layers.map(\.id))
        // Of the same size as before.
        try Self.write("b", [1, 4], in: folder)
        try expect([3, 1, 4])
        let held = map.edition
        try MapFolder(folder.path).remove("a")
        try expect([1, 4])
        // A request that began before ends as it began.
        #expect(try Self.read(held) == [3, 1, 4])
        #expect(Set(versions).count == versions.count)
        map.refresh()
        #expect(map.edition?.version == versions.last)
        // Files of another program, which have the same directories.
        for content: [UInt8] in [[1, 5], [1, 6]] {
            try Self.write("b", content, isForeign: true, in: folder)
            try expect(content)
        }
        #expect(Set(versions).count == versions.count)
    }

    @Test("a damaged file leaves the earlier one in use")
    func damaged() throws {
        let folder = try PlaceFolder()
        defer { withExtendedLifetime(folder) {} }
        let map = StreetMap(folder: MapFolder(folder.path), logger: Logger(level: .error))
        try Self.write("a", [7], in: folder)
        map.refresh()
        let version = map.edition?.version
        try Data("PMTiles".utf8).write(to: URL(filePath: "\(folder.path)/a.pmtiles"), options: .atomic)
        map.refresh()
        #expect(try Self.read(map.edition) == [7])
        #expect(map.edition?.version == version)
        try Self.write("a", [8], in: folder)
        map.refresh()
        #expect(try Self.read(map.edition) == [8])
    }
}
