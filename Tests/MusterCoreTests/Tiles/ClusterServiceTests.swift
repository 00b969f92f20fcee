import MusterTestSupport
import Testing

@testable import MusterCore

@Suite struct ClusterServiceTests {
    private static func point(_ id: Int64, _ latitude: Double, _ longitude: Double, _ comment: String = "") -> TilePoint
    {
        TilePoint(
            id: id,
            coordinate: Coordinate(latitude: latitude, longitude: longitude),
            values: PointValues([comment, nil, nil])
        )
    }

    /// A cluster service loaded with these spots.
    private static func loaded(_ points: [TilePoint] = []) -> ClusterServiceUnderTest {
        var test = ClusterServiceUnderTest()
        test.iterate([.loadBegan(.spots), .loaded(.spots, points), .loadEnded(.spots)])
        return test
    }

    private static let world = TileCover(zoom: 0, west: -180, south: -85, east: 180, north: 85)

    @Test("until all points are loaded nobody is shown any")
    func loading() {
        var test = ClusterServiceUnderTest()
        let asked = ClusterServiceUnderTest.asked(1, .spots, .subscribe(Self.world))
        test.iterate([asked, .loadBegan(.spots), .loaded(.spots, [Self.point(1, 0, 0)]), asked])
        let refused = ClusterEffect.refused(.session(SessionID(1), .number(1)), .loading)
        #expect(test.answers == [refused, refused])
        #expect(test.layerUnsubscribed == [SessionID(1), SessionID(1)])
        test.iterate([.loadEnded(.spots), asked])
        #expect(test.views[SessionID(1)]?[.spots]?.values.first?.count == 1)
    }

    @Test("what is told while storage is read is newer than what is read; what storage does not hold any more goes")
    func reload() {
        var test = Self.loaded([Self.point(1, 0, 0), Self.point(2, 10, 10), Self.point(5, 30, 30)])
        test.iterate([ClusterServiceUnderTest.asked(1, .spots, .subscribe(Self.world))])
        test.iterate([
            .loadBegan(.spots), .removed(.spots, [1]), .put(.spots, [Self.point(3, 20, 20, "told")]),
            .put(.spots, [Self.point(4, 50, 50)]),
            .loaded(.spots, [Self.point(1, 0, 0), Self.point(3, 70, 70, "read"), Self.point(5, 30, 30)]),
            .loadEnded(.spots),
        ])
        let points =
            [
                3: Self.point(3, 20, 20, "told"), 4: Self.point(4, 50, 50), 5: Self.point(5, 30, 30),
            ] as [Int64: TilePoint]
        for tile in Self.world.tiles {
            #expect(test.views[SessionID(1)]?[.spots]?[tile] == ClusterServiceUnderTest.fresh(points, .spots, tile))
        }
    }

    @Test("what is added waits for the tick, what is taken out does not")
    func urgency() {
        var test = Self.loaded([Self.point(1, 0, 0)])
        test.iterate([ClusterServiceUnderTest.asked(1, .spots, .subscribe(Self.world))])
        let count = { (test: ClusterServiceUnderTest) in test.views[SessionID(1)]?[.spots]?.values.first?.count }
        test.iterate([.put(.spots, [Self.point(2, 60, 60)])])
        #expect(count(test) == 1)
        test.tick()
        #expect(count(test) == 2)
        test.iterate([.removed(.spots, [1])])
        #expect(count(test) == 1)
    }

    @Test("what shows less than before does not wait for the tick")
    func narrower() {
        var test = Self.loaded([Self.point(1, 0, 0, "with a photo")])
        test.iterate([ClusterServiceUnderTest.asked(1, .spots, .subscribe(Self.world))])
        test.iterate([.narrowed(.spots, [Self.point(1, 0, 0, "without")])])
        #expect(test.views[SessionID(1)]?[.spots]?.values.first?[1]?.values.values.first == "without")
    }

    @Test("a question is answered as of the end of its turn, whatever comes behind it")
    func lastChange() throws {
        let tile = try #require(TileAddress(zoom: 0, x: 0, y: 0))
        var test = Self.loaded((1...3).map { Self.point($0, 10, 10) })
        test.iterate([.asked(.request(1), .spots, .tile(tile))])
        guard case .tile(_, let content) = test.answers.first,
            case .cluster(let name) = content.entries.first?.feature.content
        else {
            Issue.record("three at one place are a cluster")
            return
        }
        test.iterate([
            .asked(.request(2), .spots, .cluster(name.description)),
            .asked(.request(3), .spots, .leaves(name.description, after: nil, limit: 9)), .removed(.spots, [2]),
        ])
        guard case .cluster(_, let summary) = test.answers.first, case .leaves(_, _, let points, _) = test.answers.last
        else {
            Issue.record("two at one place are a cluster")
            return
        }
        #expect(summary.count == 2)
        #expect(points.map(\.id) == [1, 3])
        test.iterate([.asked(.request(4), .spots, .leaves(name.description, after: "x", limit: 9))])
        #expect(test.answers == [.refused(.request(4), .badCursor)])
        let before = [ClusterInput.asked(.request(5), .group(GroupID(1)), .cluster(name.description))]
        test.iterate([.opened(.group(GroupID(1)), [])] + before + [.closed(.group(GroupID(1)))])
        #expect(test.answers == [.refused(.request(5), .clusterGone)])
    }

    @Test("what storage does not hold any more goes in pieces, and what is told meanwhile stays")
    func sweep() {
        var test = Self.loaded((1...20_000).map { Self.point($0, Double($0 % 80), Double($0 % 170)) })
        test.iterate([.loadBegan(.spots), .loaded(.spots, [Self.point(7, 7, 7)]), .loadEnded(.spots)], pieces: 1)
        var least = test.clusters.statistics.points["spots"] ?? 0
        #expect(least > 10_000)
        test.iterate([.put(.spots, [Self.point(19_000, 1, 1)])], pieces: 1)
        while test.clusters.hasWork {
            test.iterate([], pieces: 1)
            let left = test.clusters.statistics.points["spots"] ?? 0
            #expect(least - left <= 4096)
            least = left
        }
        #expect(least == 2)
        // A load that begins before the previous one has ended replaces it.
        test.iterate([
            .loadBegan(.spots), .loadEnded(.spots), .loadBegan(.spots), .loaded(.spots, [Self.point(7, 7, 7)]),
        ])
        #expect(test.clusters.statistics.points["spots"] == 2)
        test.iterate([.loadEnded(.spots)])
        #expect(test.clusters.statistics.points["spots"] == 1)
    }

    @Test("a point that carries something else is told, where no place changed")
    func values() {
        var test = Self.loaded([Self.point(1, 0, 0, "old")])
        test.iterate([ClusterServiceUnderTest.asked(1, .spots, .subscribe(Self.world))])
        test.iterate([.put(.spots, [Self.point(1, 0, 0, "new")])])
        test.tick()
        #expect(test.views[SessionID(1)]?[.spots]?.values.first?[1]?.values.values.first == "new")
        let sent = test.sent
        test.iterate([.put(.spots, [Self.point(1, 0, 0, "new")])])
        test.tick()
        #expect(test.sent == sent, "what is told again is not told on")
    }

    @Test("another box of a layer sends only the tiles that were not held, and tiles are forgotten 30 s later")
    func panning() {
        var test = Self.loaded((1...40).map { Self.point($0, Double($0), Double($0)) })
        let left = TileCover(zoom: 6, west: 0, south: 0, east: 20, north: 20)
        let right = TileCover(zoom: 6, west: 5, south: 0, east: 25, north: 20)
        test.iterate([ClusterServiceUnderTest.asked(1, .spots, .subscribe(left))])
        let sent = test.sent
        test.iterate([ClusterServiceUnderTest.asked(1, .spots, .subscribe(right))])
        let added = Set(right.tiles).subtracting(left.tiles)
        let points =
            Dictionary(uniqueKeysWithValues: (1...40).map { ($0, Self.point($0, Double($0), Double($0))) })
            as [Int64: TilePoint]
        let wanted = added.reduce(0) { $0 + ClusterServiceUnderTest.fresh(points, .spots, $1).count }
        #expect(test.sent - sent == wanted)
        #expect(Set(test.views[SessionID(1)]?[.spots]?.keys.map { $0 } ?? []) == Set(right.tiles))
        #expect(test.clusters.statistics.tiles == Set(left.tiles).union(right.tiles).count)
        for _ in 0..<29 { test.tick() }
        #expect(test.clusters.statistics.tiles == Set(left.tiles).union(right.tiles).count)
        test.tick()
        #expect(test.clusters.statistics.tiles == right.count)
        test.end(SessionID(1))
        for _ in 0..<30 { test.tick() }
        #expect(test.clusters.statistics.tiles == 0 && test.clusters.statistics.sessions == 0)
    }

    @Test("a layer is a kind in the table and nothing else")
    func thirdLayer() {
        let benches = LayerKind(
            number: 9,
            name: "benches",
            audience: .people,
            source: .storage,
            naming: .cell,
            prefix: "b",
            fields: ["wood"]
        )
        let table = LayerTable(LayerTable.muster.kinds + [benches])
        var test = ClusterServiceUnderTest(table)
        guard let layer = table.layer(named: "benches") else {
            Issue.record("the layer has a name")
            return
        }
        let bench = TilePoint(
            id: 3,
            coordinate: Coordinate(latitude: 1, longitude: 1),
            values: PointValues(["oak"])
        )
        test.iterate([.loadBegan(layer), .loaded(layer, [bench]), .loadEnded(layer)])
        test.iterate([ClusterServiceUnderTest.asked(1, layer, .subscribe(Self.world))])
        let entry = test.views[SessionID(1)]?[layer]?.values.first?[3]
        #expect(entry.map { benches.featureID($0.feature) } == "b:3")
        #expect(
            entry.map { benches.properties(of: $0) } == [
                FeatureProperty(name: "cluster", value: .bool(false)),
                FeatureProperty(name: "id", value: .text("3")), FeatureProperty(name: "wood", value: .text("oak")),
            ]
        )
        #expect(table.layer(named: "benches:7") == nil && table.layer(named: "bench") == nil)
    }

    @Test(
        "whoever pans, zooms, comes and goes is shown what a reading from scratch shows, however little time a turn has",
        arguments: 1...12 as ClosedRange<UInt64>
    )
    func watchersSeeTheTruth(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var test = Self.loaded()
        var points: [Int64: TilePoint] = [:]
        for _ in 0..<120 {
            var inputs: [ClusterInput] = []
            for _ in 0..<Int.random(in: 0...6, using: &random) {
                let id = Int64.random(in: 1...40, using: &random)
                guard Int.random(in: 0..<4, using: &random) > 0 else {
                    inputs.append(.removed(.spots, [id]))
                    continue
                }
                let side = Bool.random(using: &random) ? 179.95 : -179.95
                let point = Self.point(
                    id,
                    48 + Double.random(in: -0.2...0.2, using: &random),
                    side + Double.random(in: -0.04...0.04, using: &random),
                    "\(Int.random(in: 0...2, using: &random))"
                )
                inputs.append(.put(.spots, [point]))
            }
            let session = Int64.random(in: 1...4, using: &random)
            switch Int.random(in: 0..<6, using: &random) {
            case 0, 1, 2:
                let west = 179.9 + Double.random(in: -0.1...0.09, using: &random)
                let zoom = Int.random(in: 4...10, using: &random)
                let south = 47.9 + Double.random(in: 0...0.1, using: &random)
                let cover = TileCover(zoom: zoom, west: west, south: south, east: -179.9, north: south + 0.2)
                if cover.count <= TileCover.limit {
                    inputs.append(ClusterServiceUnderTest.asked(session, .spots, .subscribe(cover)))
                }
            case 3: inputs.append(ClusterServiceUnderTest.asked(session, .spots, .unsubscribe))
            case 4: test.end(SessionID(session))
            case _: break
            }
            inputs.shuffle(using: &random)
            test.iterate(inputs, pieces: Int.random(in: 1...8, using: &random))
            for input in inputs {
                if case .put(_, let put) = input { for point in put { points[point.id] = point } }
                if case .removed(_, let gone) = input { for id in gone { points[id] = nil } }
            }
            if Int.random(in: 0..<3, using: &random) == 0 { test.tick(pieces: Int.random(in: 1...8, using: &random)) }
        }
        test.tick()
        #expect(!test.clusters.hasWork)
        var compared = 0
        for (session, layers) in test.views {
            for (tile, view) in layers[.spots] ?? [:] {
                compared += 1
                #expect(view == ClusterServiceUnderTest.fresh(points, .spots, tile), "\(session) \(tile), seed \(seed)")
            }
        }
        #expect(compared > 0, "seed \(seed) compares something")
    }
}
