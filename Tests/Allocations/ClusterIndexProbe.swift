import AllocationCounter
import MusterCore

/// The allocations of moving points in a `ClusterIndex`.
enum ClusterIndexProbe {
    private static let points: Int64 = 20_000
    /// The distance of a move in units of the tree, about 40 m.
    private static let reach: UInt64 = 4096

    /// Allocations of one move, while tiles of all zooms are subscribed to and after as many warm-up moves.
    static func allocationsPerMove() -> Double {
        var clusterIndex = ClusterIndex(naming: .cell)
        let corner = MercatorPoint(Coordinate(latitude: 48.2, longitude: 16.3))
        var state: UInt64 = 14
        func random(below limit: UInt64) -> UInt32 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt32((state >> 33) % limit)
        }
        var places = (0..<Self.points).map { _ in
            MercatorPoint(x: corner.x + random(below: 1 << 20), y: corner.y + random(below: 1 << 20))
        }
        for (index, place) in places.enumerated() { clusterIndex.put(Int64(index + 1), at: place) }
        for zoom in TileAddress.zooms { clusterIndex.subscribe(places[0].tile(zoom: zoom)) }
        var taken: Int64 = 0
        for _ in 0..<6 {
            for index in places.indices {
                places[index].x += random(below: Self.reach)
                places[index].y += random(below: Self.reach)
            }
            let before = allocation_counts_of_this_thread().allocations
            for index in places.indices { clusterIndex.put(Int64(index + 1), at: places[index]) }
            taken = allocation_counts_of_this_thread().allocations - before
            while clusterIndex.nextChangedTile() != nil {}
        }
        return Double(taken) / Double(Self.points)
    }
}
