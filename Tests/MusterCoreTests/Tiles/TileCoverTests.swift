import Testing

@testable import MusterCore

@Suite struct TileCoverTests {
    /// The tiles of a box, given as west, south, east and north.
    private static func tiles(_ zoom: Int, _ box: [Double]) -> [String] {
        TileCover(zoom: zoom, west: box[0], south: box[1], east: box[2], north: box[3]).tiles.map(\.description)
    }

    @Test("a box is covered by the tiles that it touches, from north-west to south-east")
    func box() {
        #expect(Self.tiles(0, [-180, -90, 180, 90]) == ["0/0/0"])
        #expect(Self.tiles(1, [-180, -90, 180, 90]) == ["1/0/0", "1/1/0", "1/0/1", "1/1/1"])
        #expect(Self.tiles(12, [16.36, 48.20, 16.38, 48.21]) == ["12/2234/1420"])
        #expect(Self.tiles(22, [180, 90, 180, 90]) == ["22/4194303/0"])
    }

    @Test("a box over the date line is covered from both sides")
    func dateLine() {
        #expect(Self.tiles(4, [170, 1, -170, 2]) == ["4/15/7", "4/0/7"])
        #expect(Self.tiles(2, [100, 1, -100, 2]) == ["2/3/1", "2/0/1"])
        // More than once around the world.
        #expect(Self.tiles(1, [10, 1, 5, 2]) == ["1/0/0", "1/1/0"])
        #expect(Self.tiles(0, [170, 1, -170, 2]) == ["0/0/0"])
    }

    @Test("no tile is named twice, and there are as many as are counted", arguments: 0...8)
    func count(zoom: Int) {
        for box in [[-180, -90, 180, 90], [179, -20, -179, 20], [10, -5, 9, 5], [0, 0, 0, 0]] as [[Double]] {
            let cover = TileCover(zoom: zoom, west: box[0], south: box[1], east: box[2], north: box[3])
            #expect(Set(cover.tiles).count == cover.count && cover.tiles.count == cover.count)
        }
        #expect(TileCover(zoom: 22, west: -180, south: -90, east: 180, north: 90).count == 1 << 44)
    }
}

@Suite struct PointValuesTests {
    @Test("values come back as they were packed, whatever their length")
    func roundTrip() {
        let lists: [[String?]] = [
            [], [nil], [""], ["ä", nil, String(repeating: "x", count: 126)], [nil, nil, ""],
            [String(repeating: "é", count: 64), String(repeating: "y", count: 20_000), nil],
        ]
        for values in lists { #expect(PointValues(values).values == values) }
    }
}
