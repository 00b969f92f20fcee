import Testing

@testable import MusterCore

/// The graph decides most pairs by a coarse comparison of flat coordinates.
///
/// The result must always equal that of exact distances.
@Suite("Nearness, beside a naive model")
struct ProximityModelTests {
    /// A location where distances are error-prone, and R.
    struct Site: Sendable {
        let centre: Coordinate
        let radius: Double
    }

    static let sites = [
        Site(centre: Coordinate(latitude: 48, longitude: 11), radius: 100),
        Site(centre: Coordinate(latitude: -33, longitude: 179.9999), radius: 20),
        Site(centre: Coordinate(latitude: 79.99, longitude: -180), radius: 2000),
        Site(centre: Coordinate(latitude: 86, longitude: 30), radius: 150),
        Site(centre: Coordinate(latitude: 69.99, longitude: -30), radius: 2000),
        Site(centre: Coordinate(latitude: 0.0001, longitude: 0), radius: 300),
    ]

    /// The path of fixes through a graph.
    enum Way: CaseIterable, Sendable {
        /// Each fix is compared with all members.
        case long
        /// Each fix takes the fast path first, which computes no distances while members stay in their safe zones.
        case fastPath
    }

    @Test(
        "links, nearness and last meetings are what comparing everybody says",
        arguments: Self.sites.indices.flatMap { site in Way.allCases.map { (site, $0) } },
        1...6
    )
    func naive(_ setting: (site: Int, way: Way), seed: Int) {
        let (index, way) = setting
        let site = Self.sites[index]
        var random = SeededGenerator(seed: UInt64(seed * 100 + index))
        let count = [2, 5, 12, 13, 40, 70][seed - 1]
        let settings = GroupSettings(radius: site.radius)
        var graph = ProximityGraph()
        graph.grow(to: count)
        var naive = NaiveGraph(count: count, radius: site.radius)
        var positions: [MemberPosition?] = Array(repeating: nil, count: count)
        // At these multiples of R the result changes, or nearly does.
        let shares = [0, 0.1, 0.5, 0.999, 1, 1.001, 1.04, 1.08, 1.2, 1.499, 1.5, 1.501, 2, 2.5, 3, 3.75, 4.5, 5.6, 50]
        let anchors = shares.map {
            site.centre.moved($0 * site.radius, bearing: .random(in: 0..<360, using: &random))
        }
        var anchorOf = (0..<count).map { _ in Int.random(in: 0..<anchors.count, using: &random) }
        for step in 0..<1200 {
            let instant = GatheringScene.moment(Double(step) * 3)
            graph.timePassed(to: instant)
            naive.timePassed(to: instant)
            let slot = Int.random(in: 0..<count, using: &random)
            if Int.random(in: 0..<80, using: &random) == 0 {
                graph.remove(slot)
                naive.remove(slot)
                positions[slot] = nil
                continue
            }
            if Int.random(in: 0..<20, using: &random) == 0 {
                anchorOf[slot] = Int.random(in: 0..<anchors.count, using: &random)
            }
            let scatter = Double.random(in: 0..<1, using: &random) < 0.3 ? 0 : 0.05 * site.radius
            let observation = GatheringObservation(
                device: DeviceID(1),
                sequence: Int64(step),
                at: instant,
                coordinate: anchors[anchorOf[slot]].moved(
                    scatter * Double.random(in: 0..<1, using: &random),
                    bearing: .random(in: 0..<360, using: &random)
                ),
                accuracy: [0, 3.5, 8, 60, 100][Int.random(in: 0..<5, using: &random)],
                isStationary: Bool.random(using: &random)
            )
            var position = positions[slot] ?? MemberPosition(first: observation)
            if positions[slot] != nil { position.follow(observation) }
            positions[slot] = position
            if way == .long || !Self.movesOnFastPath(&graph, slot, observation, radius: site.radius) {
                graph.move(slot, to: position, settings: settings, at: instant)
            }
            naive.move(slot, to: position, at: instant)
            guard step.isMultiple(of: 20) else { continue }
            for one in 0..<count {
                for other in 0..<count where other != one {
                    let pair = "site \(index), seed \(seed), step \(step): \(one), \(other)"
                    #expect(graph.near[one].contains(other) == naive.isNear(one, other), "\(pair)")
                    #expect(graph.linked[one].contains(other) == naive.isLinked(one, other), "\(pair)")
                    #expect(
                        graph.lastMeeting(of: one, with: other, since: GatheringScene.start, settings: settings)?.place
                            == naive.place(of: one, within: other),
                        "\(pair)"
                    )
                }
            }
        }
    }

    /// Returns whether the fast path handles a fix.
    static func movesOnFastPath(
        _ graph: inout ProximityGraph,
        _ slot: Int,
        _ observation: GatheringObservation,
        radius: Double
    ) -> Bool {
        var queue = ObservationQueue()
        queue.insert(observation, of: slot, receivedAt: observation.at, lag: 0)
        var fastPath = ProximityGraph.FastPath(movers: graph.placed, instant: observation.at, end: observation.at)
        let settings = GroupSettings(radius: radius)
        while graph.moveOnFastPath(by: queue, settings: settings, &fastPath) == .leavesZone,
            graph.isUnchanged(queue.entries[queue.head], settings: settings, strayed: MemberSet(), strayLimit: nil)
        {
            fastPath.isNextUnchanged = true
        }
        return fastPath.moved == 1
    }

    @Test("what a rough point tells is what the exact one says", arguments: [1, 2, 3] as [UInt64])
    func coarse(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var notified = 0
        for _ in 0..<20_000 {
            let limit = Double.random(in: 20...4000, using: &random)
            let place = Coordinate(
                latitude: .random(in: -90...90, using: &random),
                longitude: .random(in: 179.9...180, using: &random)
            )
            let share =
                Double.random(in: 0..<4, using: &random) < 3 ? Double.random(in: 0.99..<1.01, using: &random) : 30
            let other = place.moved(limit * share, bearing: .random(in: 0..<360, using: &random))
            let exact = LocalPoint(place).distance(to: LocalPoint(other)) <= limit
            switch CoarsePoint(place).compare(to: other, limit: CoarsePoint.Limit(metres: limit)) {
            case .within: #expect(exact, "seed \(seed): \(place), \(other), \(limit)")
            case .beyond: #expect(!exact, "seed \(seed): \(place), \(other), \(limit)")
            case .unsure: continue
            }
            notified += 1
        }
        #expect(notified > 5000)
    }
}
