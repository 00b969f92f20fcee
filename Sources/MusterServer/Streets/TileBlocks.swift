import MusterCore
import MusterMath

/// A block of tiles that are made at once: the tiles of a zoom inside a tile of a lower zoom.
struct TileBlock: Sendable, Hashable {
    /// The zoom of the tiles.
    let zoom: Int
    /// The tile around them.
    let outer: TileAddress
}

/// The blocks of a part of the map.
///
/// Their order is that of the tiles in a file, because a Hilbert curve leaves a block only at its end.
struct TileBlocks {
    /// The number of zooms between a block and its tiles: at most 256 tiles in a block.
    private static let depth = 4

    private let bounds: MapBounds
    /// The blocks in order.
    let all: [TileBlock]

    /// Lists the blocks of a part.
    init(_ bounds: MapBounds) {
        self.bounds = bounds
        var all: [TileBlock] = []
        for zoom in MapSchema.zooms {
            let outer = max(0, zoom - Self.depth)
            let first = Self.tile(longitude: bounds.west, latitude: bounds.north, outer)
            let last = Self.tile(longitude: bounds.east, latitude: bounds.south, outer)
            let tiles = (first.x...max(first.x, last.x)).flatMap { x in
                (first.y...max(first.y, last.y)).compactMap { y in TileAddress(zoom: outer, x: x, y: y) }
            }
            all += tiles.map { ($0.hilbertNumber, $0) }.sorted { $0.0 < $1.0 }.map {
                TileBlock(zoom: zoom, outer: $0.1)
            }
        }
        self.all = all
    }

    /// The number of blocks of the block's zoom that are done with it, and of all.
    func progress(after block: TileBlock) -> (done: Int, of: Int) {
        let own = self.all.filter { $0.zoom == block.zoom }
        return ((own.firstIndex(of: block) ?? 0) + 1, own.count)
    }

    /// The centre, with the zoom at which the part is about 800 px wide and high at most.
    var centre: (zoom: Int, longitude: Double, latitude: Double) {
        let bounds = self.bounds
        let north = MercatorPoint(Coordinate(latitude: bounds.north, longitude: bounds.west))
        let south = MercatorPoint(Coordinate(latitude: bounds.south, longitude: bounds.east))
        let share = max(Double(south.x &- north.x), Double(south.y) - Double(north.y), 1) / 0x1p32
        let zoom = MapSchema.zooms.last { share * 512 * Double(1 << $0) <= 800 } ?? 0
        let middle = MercatorPoint(x: north.x &+ (south.x &- north.x) / 2, y: north.y + (south.y - north.y) / 2)
        return (zoom, middle.coordinate.longitude, middle.coordinate.latitude)
    }

    private static func tile(longitude: Double, latitude: Double, _ zoom: Int) -> (x: Int, y: Int) {
        let point = MercatorPoint(Coordinate(latitude: latitude, longitude: longitude))
        return (Int(point.x) >> (32 - zoom), Int(point.y) >> (32 - zoom))
    }
}
