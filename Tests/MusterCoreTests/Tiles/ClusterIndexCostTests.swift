import Testing

@testable import MusterCore

/// Work is counted, not timed: one step visits a cell's neighbourhood, or one cell that is collected.
@Suite struct ClusterIndexCostTests {
    private static let place = MercatorPoint(Coordinate(latitude: 48.2082, longitude: 16.3738))

    /// Subscribes to the tiles around a place at all zooms.
    private static func watching(_ place: MercatorPoint, _ clusterIndex: inout ClusterIndex) {
        for zoom in TileAddress.zooms { clusterIndex.subscribe(place.tile(zoom: zoom)) }
    }

    /// The steps of a change until all changed tiles are computed.
    private static func steps(_ clusterIndex: inout ClusterIndex, _ change: (inout ClusterIndex) -> Void) -> Int {
        let before = clusterIndex.statistics.steps
        change(&clusterIndex)
        while clusterIndex.nextChangedTile() != nil {}
        return clusterIndex.statistics.steps - before
    }

    @Test("a million points at one place cost a move no more than others do")
    func onePlace() {
        var clusterIndex = ClusterIndex(naming: .cell)
        Self.watching(Self.place, &clusterIndex)
        for id in 1...1_000_000 as ClosedRange<Int64> { clusterIndex.put(id, at: Self.place) }
        while clusterIndex.nextChangedTile() != nil {}
        let here = clusterIndex.features(in: Self.place.tile(zoom: 12))
        #expect(here.map(\.count) == [1_000_000])
        let counts = clusterIndex.features(in: Self.place.tile(zoom: 22)).map(\.count)
        #expect(counts == [1_000_000])
        let aside = MercatorPoint(x: Self.place.x + 5000, y: Self.place.y)
        for id in 1...100 as ClosedRange<Int64> {
            let steps = Self.steps(&clusterIndex) { $0.put(id * 9999, at: aside) }
            #expect(steps < 600)
        }
        #expect(clusterIndex.place(of: 9999) == aside)
        guard case .cluster(let name)? = here.first?.content else {
            Issue.record("a million points are a cluster")
            return
        }
        let cluster = clusterIndex.cluster(name)
        #expect(cluster?.count == 1_000_000)
        #expect(cluster?.bounds == MercatorBounds(northWest: Self.place, southEast: aside))
        let page = clusterIndex.leaves(of: name, after: nil, limit: 100)
        #expect(page?.points == Array(1...100))
        for id in 1...1_000_000 as ClosedRange<Int64> { clusterIndex.remove(id) }
        while clusterIndex.nextChangedTile() != nil {}
        #expect(clusterIndex.count == 0)
        let left = clusterIndex.features(in: Self.place.tile(zoom: 12))
        #expect(left == [])
    }

    @Test("a row of cells, each of which depends on the next, is decided without deep calls")
    func staircase() {
        // 1,000 adjacent cells at zoom 16, each with one more point than the one before: 500,500 points.
        var clusterIndex = ClusterIndex(naming: .cell)
        let side = UInt32(1) << UInt32(ClusterRule.cellShift(zoom: 16))
        let start = MercatorPoint(x: side * 160_000 + side / 2, y: side * 400_000 + side / 2)
        var id: Int64 = 0
        for cell in 1...1000 as ClosedRange<UInt32> {
            for _ in 0..<cell {
                id += 1
                clusterIndex.put(id, at: MercatorPoint(x: start.x + cell * side, y: start.y))
            }
        }
        let tiles = (0...63).compactMap { TileAddress(zoom: 16, x: 10_000 + $0, y: 25_000) }
        // The cell with the fewest points is read first: it depends on all others.
        let before = clusterIndex.statistics.steps
        let count = tiles.reduce(0) { $0 + clusterIndex.features(in: $1).reduce(0) { $0 + $1.count } }
        #expect(count == 500_500)
        #expect(clusterIndex.statistics.steps - before < 20_000)
        for tile in tiles { clusterIndex.subscribe(tile) }
        // The cell with the most points is removed: every other cell changes its role, and changes back when it
        // returns.
        let heaviest = (id - 999)...id
        let turned = Self.steps(&clusterIndex) { clusterIndex in for id in heaviest { clusterIndex.remove(id) } }
        #expect(turned < 30_000)
        let place = MercatorPoint(x: start.x + 1000 * side, y: start.y)
        let returned = Self.steps(&clusterIndex) { clusterIndex in
            for id in heaviest { clusterIndex.put(id, at: place) }
        }
        #expect(returned < 30_000)
        #expect(clusterIndex.statistics.flips >= 1900)
        // Removing the cell with the fewest points changes no other cell.
        let least = Self.steps(&clusterIndex) { $0.remove(1) }
        #expect(least < 100)
    }

    @Test("a point that hops over a border at each tick costs the same each time")
    func hopping() {
        var random = SeededGenerator(seed: 5)
        var clusterIndex = ClusterIndex(naming: .leastMember)
        let border = MercatorPoint(x: 1 << 31, y: 1 << 31)
        for id in 1...2000 as ClosedRange<Int64> {
            let reach = Int64(1) << Int64.random(in: 8...28, using: &random)
            let x = Int64.random(in: -reach...reach, using: &random)
            let y = Int64.random(in: -reach...reach, using: &random)
            clusterIndex.put(id, at: MercatorPoint(x: UInt32(Int64(border.x) + x), y: UInt32(Int64(border.y) + y)))
        }
        Self.watching(border, &clusterIndex)
        Self.watching(MercatorPoint(x: border.x - 1, y: border.y), &clusterIndex)
        var most = 0
        for tick in 0..<1000 as Range<UInt32> {
            most = max(
                most,
                Self.steps(&clusterIndex) { $0.put(1, at: MercatorPoint(x: border.x - tick & 1, y: border.y)) }
            )
        }
        #expect(most < 2000)
        let blocks = clusterIndex.statistics.blocks
        for tick in 0..<1000 as Range<UInt32> {
            clusterIndex.put(1, at: MercatorPoint(x: border.x - tick & 1, y: border.y))
        }
        while clusterIndex.nextChangedTile() != nil {}
        #expect(clusterIndex.statistics.blocks == blocks, "nothing piles up")
    }

    @Test("tiles that were read and are not watched cost memory up to a limit, and are forgotten when things move")
    func layerUnsubscribed() {
        var random = SeededGenerator(seed: 6)
        var clusterIndex = ClusterIndex(naming: .cell)
        for id in 1...20_000 as ClosedRange<Int64> { clusterIndex.put(id, at: MercatorPoint(morton: random.next())) }
        for column in 0..<128 {
            for row in 0..<128 {
                guard let tile = TileAddress(zoom: 7, x: column, y: row) else { continue }
                _ = clusterIndex.features(in: tile)
                #expect(clusterIndex.statistics.blocks < 5000)
            }
        }
        #expect(clusterIndex.statistics.blocks > 0)
        for id in 1...100_000 as ClosedRange<Int64> {
            clusterIndex.put(id % 20_000 + 1, at: MercatorPoint(morton: random.next()))
        }
        #expect(clusterIndex.statistics.blocks == 0)
    }
}
