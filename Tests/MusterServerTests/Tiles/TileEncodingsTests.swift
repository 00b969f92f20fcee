import MusterCore
import Testing

@testable import MusterServer

@Suite struct TileEncodingsTests {
    private static func tile(_ x: Int) throws -> TileAddress { try #require(TileAddress(zoom: 10, x: x, y: 0)) }

    @Test("what was not asked for for the longest goes first, and a tile is named once nothing of it is left")
    func leastRecentlyUsed() throws {
        let encodings = TileEncodings(limit: 3 * TileEncodings.tileSize + 4000)
        // With what is kept beside them, each takes 1,256 bytes and its tile; random bytes are not shortened.
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
        // Of tile 1, the older form goes, and the tile is still kept in the other.
        #expect(try isKept(3) && isKept(4))
        #expect(try keep(1, .mvt) == [])
        #expect(try !isKept(1) && isKept(1, .mvt))
        encodings.remove(.spots, try Self.tile(1))
        #expect(try !isKept(1, .mvt))
        #expect(encodings.size == 2 * (TileEncodings.tileSize + 1256))
        for x in 2...4 { encodings.remove(.spots, try Self.tile(x)) }
        #expect(encodings.size == 0)
    }

    @Test("tags depend on bytes alone")
    func tags() {
        let one = TileEncoding(version: 1, bytes: [1, 2, 3])
        #expect(one.tag == TileEncoding(version: 9, bytes: [1, 2, 3]).tag)
        #expect(one.tag != TileEncoding(version: 1, bytes: [1, 2, 4]).tag)
    }
}
