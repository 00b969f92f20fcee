import MusterTestSupport
import Testing
import TileModels

@testable import MusterCore

/// The amount of work per call of the cluster service, counted in steps instead of time.
@Suite struct ClusterPaceTests {
    private static let layer = TileLayer.group(GroupID(1))
    private static let count: Int64 = 100_000
    /// The maximum steps of one piece of work: the backlog of changes, or a tile with everything that it depends on.
    private static let stepsAtOnce = 4096 + 4096

    private static func point(_ id: Int64, _ random: inout SeededGenerator) -> TilePoint {
        TilePoint(
            id: id,
            coordinate: Coordinate(
                latitude: 48 + Double.random(in: -0.5...0.5, using: &random),
                longitude: 16 + Double.random(in: -0.5...0.5, using: &random)
            )
        )
    }

    private static func cover(zoom: Int, side: Double) -> TileCover {
        TileCover(zoom: zoom, west: 16 - side, south: 48 - side, east: 16 + side, north: 48 + side)
    }

    /// Works until nothing is left, or for `pieces` pieces, and checks that none of them is large.
    private static func work(_ clusters: inout ClusterService, pieces: Int = .max) -> [ClusterEffect] {
        var effects: [ClusterEffect] = []
        var left = pieces
        var steps = clusters.steps
        while left > 0, clusters.work(into: &effects) {
            left -= 1
            #expect(clusters.steps - steps <= Self.stepsAtOnce)
            steps = clusters.steps
        }
        return effects
    }

    @Test(
        "beside a hundred thousand moves, a question is answered and a removal told in its turn, and no piece is large"
    )
    func manyMoves() throws {
        var random = SeededGenerator(seed: 14)
        let now = Timestamp(milliseconds: 1_750_000_000_000)
        var clusters = ClusterService()
        var effects: [ClusterEffect] = []
        let spot = TilePoint(id: 1, coordinate: Coordinate(latitude: 1, longitude: 1))
        let people = (1...Self.count).map { Self.point($0, &random) }
        let covers = [Self.cover(zoom: 6, side: 2), Self.cover(zoom: 10, side: 0.4), Self.cover(zoom: 13, side: 0.1)]
        var inputs: [ClusterInput] = [
            .loadBegan(.spots), .loaded(.spots, [spot]), .loadEnded(.spots), .opened(Self.layer, people),
            ClusterServiceUnderTest.asked(9, .spots, .subscribe(Self.cover(zoom: 0, side: 1))),
        ]
        for (number, cover) in covers.enumerated() {
            inputs.append(ClusterServiceUnderTest.asked(Int64(number), Self.layer, .subscribe(cover)))
        }
        clusters.apply(inputs, at: now, into: &effects)
        effects = Self.work(&clusters)
        var backlog = ClusterBacklog()
        let moves = (1...Self.count).map { TileMove(id: $0, point: Self.point($0, &random), isNarrower: false) }
        backlog.add(.moved(Self.layer, moves))
        backlog.add(.removed(.spots, [1]))
        let tile = try #require(TileAddress(zoom: 0, x: 0, y: 0))
        backlog.add(.asked(.request(1), Self.layer, .tile(tile)))
        var iterations = 0
        while !backlog.isEmpty || clusters.hasWork {
            iterations += 1
            backlog.dequeue(into: &inputs)
            effects = []
            clusters.apply(inputs, at: now, into: &effects)
            let moved = inputs.reduce(0) { if case .moved(_, let moves) = $1 { $0 + moves.count } else { $0 } }
            #expect(moved <= ClusterBacklog.movesAtOnce)
            // A tick has time for more pieces, but always does at least these.
            effects += Self.work(&clusters, pieces: iterations == 1 ? 16 : .max)
            guard iterations == 1 else { continue }
            #expect(effects.contains { if case .tile(.request(1), _) = $0 { true } else { false } })
            #expect(effects.contains { if case .changed(let change) = $0 { change.gone == [1] } else { false } })
        }
        #expect(iterations >= 25)
        effects = []
        clusters.tick(at: now + 1000, into: &effects)
        effects = Self.work(&clusters)
        let points = Dictionary(uniqueKeysWithValues: moves.compactMap { $0.point }.map { ($0.id, $0) })
        for cover in covers {
            let tile = try #require(cover.tiles.last)
            let content = try #require(clusters.content(of: tile, in: Self.layer))
            let shown = Dictionary(uniqueKeysWithValues: content.entries.map { ($0.feature.entryKey, $0) })
            #expect(shown == ClusterServiceUnderTest.fresh(points, .group, tile))
        }
    }

    @Test("tiles that may have changed and did not are looked at one by one")
    func unchanged() {
        var random = SeededGenerator(seed: 15)
        var clusterIndex = ClusterIndex(naming: .cell)
        for id in 1...2000 as ClosedRange<Int64> {
            clusterIndex.put(id, at: MercatorPoint(Self.point(id, &random).coordinate))
        }
        for tile in Self.cover(zoom: 10, side: 0.4).tiles { clusterIndex.subscribe(tile) }
        while clusterIndex.nextChangedTile() != nil {}
        // Back and forth.
        for id in 1...2000 as ClosedRange<Int64> {
            guard let place = clusterIndex.place(of: id) else { continue }
            clusterIndex.put(id, at: MercatorPoint(x: place.x &+ 1 << 24, y: place.y))
            while !clusterIndex.resolve(steps: 100) {}
            clusterIndex.put(id, at: place)
        }
        var looks = 0
        var check = clusterIndex.checkTile()
        while check != .noneLeft {
            #expect(check == .unchanged)
            looks += 1
            check = clusterIndex.checkTile()
        }
        #expect(looks > 4)
    }

    @Test("on a layer that stands still, no name changes and nothing is told")
    func still() {
        var random = SeededGenerator(seed: 16)
        var clusters = ClusterServiceUnderTest()
        let points = (1...5000).map { Self.point($0, &random) }
        let covers = [Self.cover(zoom: 8, side: 0.5), Self.cover(zoom: 12, side: 0.1)]
        clusters.iterate([.opened(Self.layer, points)])
        for (number, cover) in covers.enumerated() {
            clusters.iterate([ClusterServiceUnderTest.asked(Int64(number), Self.layer, .subscribe(cover))])
        }
        let (sent, views) = (clusters.sent, clusters.views)
        for _ in 0..<5 {
            // The same positions are sent again.
            clusters.iterate([.moved(Self.layer, points.map { TileMove(id: $0.id, point: $0, isNarrower: false) })])
            clusters.tick()
        }
        #expect(clusters.sent == sent)
        #expect(clusters.views == views)
    }
}

extension ClusterService {
    /// The total steps of all pyramids.
    fileprivate var steps: Int { self.layers.values.reduce(0) { $0 + $1.clusterIndex.statistics.steps } }
}
