import Testing

@testable import MusterCore
@testable import MusterServer

@Suite struct TileEncodingsTests {
    /// A seeded generator of random numbers.
    private struct Dice: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            self.state = self.state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return self.state ^ self.state >> 29
        }
    }

    private static func tile(_ x: Int) throws -> TileAddress { try #require(TileAddress(zoom: 10, x: x, y: 0)) }

    @Test("what was not asked for for the longest goes first, and a tile is named once nothing of it is left")
    func leastRecentlyUsed() throws {
        let encodings = TileEncodings(limit: 3 * TileEncodings.tileSize + 4000)
        // With its bookkeeping each takes 1,256 bytes and its tile; random bytes are not compressible.
        let bytes = (0..<1000).map { _ in UInt8.random(in: 0...255) }
        func keep(_ x: Int, _ format: TileFormat = .json) throws -> [TileAddress] {
            encodings.keep(TileEncoding(version: 1, bytes: bytes), .spots, try Self.tile(x), format).map(\.1)
        }
        func isKept(_ x: Int, _ format: TileFormat = .json, version: UInt64 = 1) throws -> Bool {
            encodings.encoding(.spots, try Self.tile(x), format, version: version) != nil
        }
        for x in 1...3 { #expect(try keep(x) == []) }
        #expect(try isKept(1))
        #expect(try keep(4) == [Self.tile(2)])
        #expect(try isKept(1) && !isKept(2) && isKept(3) && isKept(4))
        #expect(try !isKept(1, version: 2), "another version is another tile")
        #expect(try !isKept(1, .mvt))
        // The older format of tile 1 is dropped, and the other one remains.
        #expect(try isKept(3) && isKept(4))
        #expect(try keep(1, .mvt) == [])
        #expect(try !isKept(1) && isKept(1, .mvt))
        encodings.remove(.spots, try Self.tile(1))
        #expect(try !isKept(1, .mvt))
        #expect(encodings.size == 2 * (TileEncodings.tileSize + 1256))
        for x in 2...4 { encodings.remove(.spots, try Self.tile(x)) }
        #expect(encodings.size == 0)
    }

    @Test("a tile is charged with no less than the cluster service holds for it")
    func tileSize() throws {
        var random = Dice(state: 5)
        let reaches = [0.02, 0.1, 2.0]
        let points = (1...50_000 as ClosedRange<Int64>).map { id -> TilePoint in
            // Points in a few towns, and in the country around them.
            let reach: Double = reaches.randomElement(using: &random) ?? 2
            let fixture = Double(Int.random(in: 0..<6, using: &random))
            let latitude = 45 + fixture + Double.random(in: -reach...reach, using: &random)
            let longitude = 10 + 2 * fixture + Double.random(in: -reach...reach, using: &random)
            return TilePoint(id: id, coordinate: Coordinate(latitude: latitude, longitude: longitude))
        }
        for zooms in [4...7, 8...11, 12...14, 15...18] {
            var clusters = ClusterService()
            var effects: [ClusterEffect] = []
            let now = Timestamp(milliseconds: 0)
            let load: [ClusterInput] = [.loadBegan(.spots), .loaded(.spots, points), .loadEnded(.spots)]
            clusters.apply(load, at: now, into: &effects)
            while clusters.work(into: &effects) {}
            let before = clusters.statistics
            let tiles = Set(
                points.prefix(3000).map { point -> TileAddress in
                    MercatorPoint(point.coordinate).tile(zoom: Int.random(in: zooms, using: &random))
                }
            )
            let questions = tiles.map { ClusterInput.asked(.request(1), .spots, .tile($0)) }
            clusters.apply(questions, at: now, into: &effects)
            while clusters.work(into: &effects) {}
            let after = clusters.statistics
            #expect(after.tiles == tiles.count)
            let size = (after.bytes - before.bytes) / tiles.count
            #expect(size <= TileEncodings.tileSize, "\(tiles.count) tiles of zooms \(zooms) take \(size) bytes each")
        }
    }

    @Test("tags depend on bytes alone")
    func tags() {
        let one = TileEncoding(version: 1, bytes: [1, 2, 3])
        #expect(one.tag == TileEncoding(version: 9, bytes: [1, 2, 3]).tag)
        #expect(one.tag != TileEncoding(version: 1, bytes: [1, 2, 4]).tag)
    }
}
