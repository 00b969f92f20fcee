import Testing

@testable import MusterCore

/// The graph stores the pairs that are near, within R or linked in rows of bits, and updates them with each move.
///
/// The result must always equal that of comparing all pairs.
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

    @Test(
        "links, nearness and last meetings are what comparing everybody says",
        arguments: Self.sites.indices,
        1...6
    )
    func naive(index: Int, seed: Int) {
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
            graph.move(slot, to: position, settings: settings, at: instant)
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
}
