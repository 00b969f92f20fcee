import Testing
import TileModels

@testable import MusterCore

/// A cluster index under adds, moves and removals, compared with the naive model of the rule.
private struct ClusterIndexUnderTest {
    var random: SeededGenerator
    let world: TileWorld
    var naive: NaiveClusterIndex
    var clusterIndex: ClusterIndex
    /// The subscribed tiles, as of the cluster index's last change report.
    var shown: [TileAddress: [TileFeature]] = [:]

    init(_ scene: TileWorld.Scene, seed: UInt64, _ naming: ClusterNaming) {
        self.random = SeededGenerator(seed: seed)
        self.world = TileWorld(scene, &self.random)
        self.naive = NaiveClusterIndex(naming: naming)
        self.clusterIndex = ClusterIndex(naming: naming)
    }

    /// Returns true with probability 1/`many`.
    mutating func isOne(in many: Int) -> Bool { Int.random(in: 0..<many, using: &self.random) == 0 }

    /// Adds, moves and removes random points out of `size`.
    mutating func change(_ changes: Int, of size: Int64) {
        for _ in 0..<changes {
            let id = Int64.random(in: 1...size, using: &self.random)
            if self.isOne(in: 5) {
                self.naive.remove(id)
                self.clusterIndex.remove(id)
                continue
            }
            var place = self.world.place(&self.random)
            if let old = self.naive.place(of: id), self.isOne(in: 2) {
                place = self.world.place(near: old, &self.random)
            }
            self.naive.put(id, at: place)
            self.clusterIndex.put(id, at: place)
            // In small portions, with changes in between.
            if self.isOne(in: 20) { _ = self.clusterIndex.resolve(steps: Int.random(in: 1...30, using: &self.random)) }
        }
    }

    /// Reads the tiles that are reported as changed.
    mutating func takeChanges() {
        while let tile = self.clusterIndex.nextChangedTile() {
            let features = self.clusterIndex.features(in: tile)
            #expect(features != self.shown[tile], "it has changed")
            self.shown[tile] = features
        }
    }

    /// Subscribes to tiles of a zoom and unsubscribes from others.
    mutating func rearrangeSubscriptions(of tiles: some Sequence<TileAddress>) {
        for tile in tiles {
            if self.shown[tile] == nil, self.isOne(in: 6) {
                self.clusterIndex.subscribe(tile)
                self.shown[tile] = self.clusterIndex.features(in: tile)
            } else if self.isOne(in: 12) {
                self.clusterIndex.unsubscribe(tile)
                self.shown[tile] = nil
            }
        }
    }

    /// Compares all tiles of a zoom, and some of its clusters.
    mutating func check(zoom: Int) {
        let all = self.naive.features(zoom: zoom)
        for (tile, features) in self.shown where tile.zoom == zoom {
            #expect(all[tile] ?? [] == features, "\(tile) was not said to have changed")
        }
        if self.isOne(in: 4) {
            // Tiles next to non-empty ones are compared too, whether or not the rule has cells in them.
            let tiles = Set(all.keys.flatMap { [$0] + Self.neighbors(of: $0) })
            let sum = tiles.reduce(0) { $0 + self.clusterIndex.features(in: $1).reduce(0) { $0 + $1.count } }
            #expect(sum == self.naive.count, "zoom \(zoom)")
        }
        for tile in all.keys.sorted(by: { $0.packed < $1.packed }) where all.count < 8 || self.isOne(in: 4) {
            let features = self.clusterIndex.features(in: tile)
            #expect(features == all[tile], "\(tile)")
            guard let feature = features.randomElement(using: &self.random), self.isOne(in: 8),
                case .cluster(let name) = feature.content
            else { continue }
            let (cluster, points) = (self.clusterIndex.cluster(name), self.pages(of: name))
            #expect(cluster == self.naive.cluster(name), "\(name)")
            #expect(points == self.naive.leaves(of: name, after: nil, limit: 1_000_000)?.points, "\(name)")
        }
        self.rearrangeSubscriptions(of: all.keys.sorted { $0.packed < $1.packed })
    }

    /// The tiles around a tile.
    private static func neighbors(of tile: TileAddress) -> [TileAddress] {
        (0..<9).filter { $0 != 4 }.compactMap { number in
            let side = 1 << tile.zoom
            return TileAddress(
                zoom: tile.zoom,
                x: (tile.x + number % 3 - 1 + side) % side,
                y: tile.y + number / 3 - 1
            )
        }
    }

    private mutating func pages(of name: ClusterName) -> [Int64] {
        var points: [Int64] = []
        var cursor: LeafCursor?
        repeat {
            let page = self.clusterIndex.leaves(of: name, after: cursor, limit: 7)
            points += page?.points ?? []
            cursor = page?.next
        } while cursor != nil
        return points
    }
}

@Suite struct ClusterIndexModelTests {
    @Test(
        "tiles, clusters and leaves are those of the rule done naively, after each batch of changes, and only changed tiles are told",
        arguments: TileWorld.Scene.allCases
    )
    func againstTheRule(scene: TileWorld.Scene) {
        for (seed, naming) in [(1, .cell), (2, .leastMember)] as [(UInt64, ClusterNaming)] {
            var test = ClusterIndexUnderTest(scene, seed: seed, naming)
            for round in 0..<60 {
                test.change(round.isMultiple(of: 7) ? 200 : Int.random(in: 1...12, using: &test.random), of: 250)
                #expect(test.clusterIndex.count == test.naive.count)
                test.takeChanges()
                for zoom in TileAddress.zooms where (round + zoom).isMultiple(of: 6) || round > 57 {
                    test.check(zoom: zoom)
                }
            }
            for id in 1...250 as ClosedRange<Int64> { test.clusterIndex.remove(id) }
            test.takeChanges()
            let isEmpty = test.shown.values.allSatisfy(\.isEmpty)
            #expect(isEmpty)
            for tile in test.shown.keys { test.clusterIndex.unsubscribe(tile) }
            let statistics = test.clusterIndex.statistics
            #expect(statistics.points == 0 && statistics.blocks == 0 && statistics.subscribedTiles == 0)
            #expect(statistics.changedTiles == 0 && statistics.bytes < 10_000, "\(statistics.bytes) bytes are left")
        }
    }

    @Test("what is shown does not depend on the order in which points came, nor on where they were before")
    func order() {
        var random = SeededGenerator(seed: 3)
        let world = TileWorld(.town, &random)
        var points = (1...300).map { (id: Int64($0), place: world.place(&random)) }
        var first = ClusterIndex(naming: .cell)
        for point in points { first.put(point.id, at: point.place) }
        var second = ClusterIndex(naming: .cell)
        points.shuffle(using: &random)
        for point in points {
            second.put(point.id, at: world.place(&random))
            second.put(point.id + 1000, at: world.place(&random))
            _ = second.features(in: point.place.tile(zoom: Int.random(in: 0...22, using: &random)))
        }
        for point in points {
            second.remove(point.id + 1000)
            second.put(point.id, at: point.place)
        }
        for zoom in TileAddress.zooms {
            for tile in Set(points.map { $0.place.tile(zoom: zoom) }) {
                let (one, other) = (first.features(in: tile), second.features(in: tile))
                #expect(one == other, "\(tile)")
            }
        }
    }

    @Test("each point is in one feature of each zoom, and no two features are nearer than 40/512 of a tile anywhere")
    func onceAndApart() throws {
        for scene in [TileWorld.Scene.dateLine, .poles, .everywhere, .town] {
            var random = SeededGenerator(seed: 4)
            let world = TileWorld(scene, &random)
            var clusterIndex = ClusterIndex(naming: .cell)
            var places: [Int64: MercatorPoint] = [:]
            for id in 1...400 as ClosedRange<Int64> {
                let place = world.place(&random)
                clusterIndex.put(id, at: place)
                places[id] = place
            }
            for zoom in ClusterRule.zooms {
                var seen: [Int64] = []
                var features: [MercatorPoint] = []
                // A feature lies at the mean of its centre cell, so in a tile with points.
                for tile in Set(places.values.map { $0.tile(zoom: zoom) }) {
                    for feature in clusterIndex.features(in: tile) {
                        var members: [Int64] = []
                        switch feature.content {
                        case .point(let id): members = [id]
                        case .cluster(let name):
                            let page = clusterIndex.leaves(of: name, after: nil, limit: 1000)
                            members = try #require(page).points
                        }
                        #expect(members.count == feature.count)
                        seen += members
                        let (x, y) = (UInt32(feature.x) << UInt32(20 - zoom), UInt32(feature.y) << UInt32(20 - zoom))
                        features.append(MercatorPoint(x: tile.corner.x + x, y: tile.corner.y + y))
                    }
                }
                #expect(seen.sorted() == Array(1...400), "\(scene), zoom \(zoom)")
                // Places are rounded to 1/4096 of a tile, so two may appear closer by the diagonal of that.
                let least = (40.0 / 512 - 1.5 / 4096) * Double(1 << (32 - zoom))
                for (index, one) in features.enumerated() {
                    for other in features[..<index] {
                        let x = Double(Int32(bitPattern: one.x &- other.x))
                        let y = Double(one.y) - Double(other.y)
                        #expect(x * x + y * y >= least * least, "\(scene), zoom \(zoom)")
                    }
                }
            }
        }
    }
}
