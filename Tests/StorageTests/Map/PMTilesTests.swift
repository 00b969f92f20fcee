import Foundation
import MusterTestSupport
import Testing

@testable import MusterCore
@testable import MusterServer

@Suite("PMTiles files")
struct PMTilesTests {
    /// A seeded generator of random numbers.
    private struct Dice: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            self.state = self.state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return self.state ^ self.state >> 29
        }
    }

    private static func bounds() -> MapBounds { MapBounds(west: -1.5, south: 2, east: 3.25, north: 4) }

    /// Writes a file with these tiles, in order.
    private static func write(_ tiles: [(TileAddress, [UInt8])], to path: String) throws {
        var writer = try PMTilesWriter(path: path)
        for (tile, content) in tiles { try writer.append(tile, content) }
        _ = try writer.finish(
            .init(zooms: 0...15, bounds: Self.bounds(), centre: (7, 1.25, 3), metadata: Array("{}".utf8))
        )
    }

    @Test(
        "a tile has the number of the specification",
        arguments: [
            (0, 0, 0, 0), (1, 0, 0, 1), (1, 0, 1, 2), (1, 1, 1, 3), (1, 1, 0, 4), (2, 0, 0, 5),
            (12, 3423, 1763, 19_078_479),
        ] as [(Int, Int, Int, UInt64)]
    )
    func numbers(zoom: Int, x: Int, y: Int, number: UInt64) throws {
        let tile = try #require(TileAddress(zoom: zoom, x: x, y: y))
        #expect(tile.hilbertNumber == number)
    }

    @Test("the tiles of a zoom have consecutive numbers, and neighbours of the curve are neighbours on the map")
    func curve() {
        for zoom in 0...5 {
            let all = (0..<1 << zoom).flatMap { x in
                (0..<1 << zoom).compactMap { y in TileAddress(zoom: zoom, x: x, y: y) }
            }.sorted { $0.hilbertNumber < $1.hilbertNumber }
            let first = (0..<zoom).reduce(0) { $0 + 1 << (2 * $1) }
            #expect(all.map(\.hilbertNumber) == (0..<all.count).map { UInt64(first + $0) })
            for (one, next) in zip(all, all.dropFirst()) { #expect(abs(one.x - next.x) + abs(one.y - next.y) == 1) }
        }
    }

    @Test("what was written is read, with leaf directories and repeated tiles", arguments: [1, 300, 40_000])
    func roundTrip(count: Int) throws {
        let folder = try PlaceFolder()
        defer { withExtendedLifetime(folder) {} }
        var dice = Dice(state: UInt64(count))
        // Columns of one row of the deepest zoom, some missing, and one tile in three with the content of open sea.
        var tiles: [(TileAddress, [UInt8])] = []
        for x in 0..<count * 2 {
            guard x == 0 || Bool.random(using: &dice), let tile = TileAddress(zoom: 22, x: x, y: 5) else { continue }
            let isSea = Int.random(in: 0..<3, using: &dice) == 0
            tiles.append((tile, isSea ? [9, 9] : Array("\(tile)".utf8)))
        }
        tiles.sort { $0.0.hilbertNumber < $1.0.hilbertNumber }
        let path = "\(folder.path)/a.pmtiles"
        try Self.write(tiles, to: path)
        let file = try PMTilesReader(path: path)
        #expect(file.header.counts.tiles == UInt64(tiles.count))
        #expect((file.header.leaves.length > 0) == (count == 40_000))
        #expect(file.header.bounds == Self.bounds())
        #expect(file.header.zooms == 0...15)
        #expect(file.metadata == Array("{}".utf8))
        let known = Dictionary(uniqueKeysWithValues: tiles)
        for x in stride(from: 0, to: count * 2, by: max(1, count / 1000)) {
            let tile = try #require(TileAddress(zoom: 22, x: x, y: 5))
            #expect(try file.tile(tile) == known[tile])
        }
        #expect(!FileManager.default.fileExists(atPath: "\(path).new"))
    }

    @Test("a file that is not finished leaves the earlier one, and nothing else")
    func unfinished() throws {
        let folder = try PlaceFolder()
        defer { withExtendedLifetime(folder) {} }
        let path = "\(folder.path)/a.pmtiles"
        let tile = try #require(TileAddress(zoom: 3, x: 1, y: 2))
        try Self.write([(tile, [1])], to: path)
        func abandon() throws {
            var writer = try PMTilesWriter(path: path)
            try writer.append(tile, [2])
        }
        try abandon()
        #expect(try PMTilesReader(path: path).tile(tile) == [1])
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["a.pmtiles"])
    }

    @Test("a damaged file gives an error or a tile, and never ends the program")
    func damaged() throws {
        let folder = try PlaceFolder()
        defer { withExtendedLifetime(folder) {} }
        let path = "\(folder.path)/a.pmtiles"
        let tiles = (0..<500).compactMap { TileAddress(zoom: 9, x: $0, y: 0) }
            .sorted { $0.hilbertNumber < $1.hilbertNumber }
        try Self.write(tiles.map { ($0, Array("\($0)".utf8)) }, to: path)
        let whole = try Data(contentsOf: URL(filePath: path))
        var dice = Dice(state: 3)
        var errors = 0
        for round in 0..<2000 {
            var bytes = whole
            if round % 4 == 0 {
                bytes.removeLast(Int.random(in: 1..<bytes.count, using: &dice))
            } else {
                for _ in 0..<Int.random(in: 1...4, using: &dice) {
                    let place = Int.random(in: 0..<min(bytes.count, 1500), using: &dice)
                    bytes[place] = UInt8.random(in: 0...255, using: &dice)
                }
            }
            try bytes.write(to: URL(filePath: path))
            do throws(MapError) {
                let file = try PMTilesReader(path: path)
                for tile in tiles.prefix(20) { _ = try file.tile(tile) }
            } catch {
                errors += 1
                #expect(error.message.contains(path))
            }
        }
        #expect(errors > 500)
    }

    @Test("gzip blocks are inflated up to a limit, and damaged ones not at all")
    func gzip() {
        let content = (0..<50_000).map { UInt8(truncatingIfNeeded: $0 / 7) }
        let block = Gzip.deflated(content)
        #expect(Gzip.inflated(block, limit: content.count) == content)
        #expect(Gzip.inflated(block, limit: content.count - 1) == nil)
        #expect(Gzip.inflated(Array(block.dropLast(9)), limit: content.count) == nil)
        #expect(Gzip.inflated(Array(content.prefix(100)), limit: 1000) == nil)
        #expect(Gzip.inflated([], limit: 10) == nil)
    }
}
