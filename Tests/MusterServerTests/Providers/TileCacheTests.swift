import Testing

@testable import MusterCore
@testable import MusterServer

@Suite("Map tiles that are kept")
struct TileCacheTests {
    private static func tile(_ number: Int) throws -> TileAddress {
        try #require(TileAddress(zoom: 20, x: number, y: 0))
    }

    @Test("are there for as long as they are fresh")
    func freshness() throws {
        var cache = TileCache(limit: 10_000, freshness: 100)
        let tile = try Self.tile(1)
        cache.keep([1], for: tile, now: 50)
        #expect(cache.file(of: tile, now: 149) == [1])
        #expect(cache.file(of: tile, now: 150) == nil)
        #expect(cache.file(of: try Self.tile(2), now: 50) == nil)
        cache.keep([2], for: tile, now: 150)
        #expect(cache.file(of: tile, now: 200) == [2])
    }

    @Test("take no more than there is room, and what is wanted stays")
    func room() throws {
        var cache = TileCache(limit: 100_000, freshness: 100)
        let wanted = try Self.tile(0)
        cache.keep([7], for: wanted, now: 0)
        for number in 1...1000 {
            cache.keep([UInt8](repeating: 0, count: 1 + number * 37 % 5000), for: try Self.tile(number), now: 0)
            #expect(cache.bytes <= 100_000)
            if number % 5 == 0 { #expect(cache.file(of: wanted, now: 0) == [7]) }
        }
        #expect(cache.file(of: try Self.tile(1), now: 0) == nil)
        #expect(cache.file(of: try Self.tile(1000), now: 0) != nil)
        // The same tile is stored once.
        for _ in 0..<1000 { cache.keep([UInt8](repeating: 0, count: 5000), for: wanted, now: 0) }
        #expect(cache.bytes <= 100_000)
        #expect(cache.file(of: wanted, now: 0)?.count == 5000)
        // A tile larger than the cache is not stored.
        cache.keep([UInt8](repeating: 0, count: 60_000), for: try Self.tile(2000), now: 0)
        #expect(cache.file(of: try Self.tile(2000), now: 0) == nil)
    }
}
