import Testing

@testable import MusterCore

@Suite("Nearness")
struct ProximityGraphTests {
    static let settings = GroupSettings()

    static func position(_ place: Coordinate, at second: Double, accuracy: Double = 8) -> MemberPosition {
        MemberPosition(
            at: GatheringScene.moment(second),
            coordinate: place,
            accuracy: accuracy,
            isStationary: false,
            speed: 0
        )
    }

    @Test("who is near whom is what comparing everybody with everybody says", arguments: [1, 2, 3] as [UInt64])
    func naive(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var graph = ProximityGraph()
        graph.grow(to: 40)
        // Near the date line, where bounding boxes are error-prone.
        let centre = Coordinate(latitude: 65, longitude: 179.9995)
        for step in 0..<600 {
            let slot = Int.random(in: 0..<40, using: &random)
            if Int.random(in: 0..<10, using: &random) == 0 {
                graph.remove(slot)
                continue
            }
            let distance = Double.random(in: 0..<600, using: &random)
            let place = centre.moved(distance, bearing: .random(in: 0..<360, using: &random))
            let accuracy = Double.random(in: 0..<100, using: &random)
            graph.move(
                slot,
                to: Self.position(place, at: Double(step), accuracy: accuracy),
                settings: Self.settings,
                at: GatheringScene.moment(Double(step))
            )
            graph.timePassed(to: GatheringScene.moment(Double(step)))
        }
        for one in 0..<40 {
            for other in 0..<40 where other != one {
                var isNear = false
                if let mine = graph.positions[one], let theirs = graph.positions[other] {
                    let credit = min(mine.accuracy + theirs.accuracy, 50)
                    let distance = mine.point.coordinate.distance(to: theirs.point.coordinate)
                    isNear = distance - credit <= 100
                }
                #expect(graph.near[one].contains(other) == isNear, "seed \(seed): \(one), \(other)")
                #expect(graph.linked[one].contains(other) == graph.linked[other].contains(one))
                if graph.positions[one] == nil { #expect(graph.linked[one].isEmpty) }
            }
        }
    }

    @Test("a row of members holding hands is one cluster")
    func chain() {
        var graph = ProximityGraph()
        graph.grow(to: 10)
        // When the first of them reports, the second has no position yet.
        for second in 0...2 {
            for slot in 0..<10 {
                let place = GatheringScene.cafe.moved(Double(slot) * 90, bearing: 90)
                let position = Self.position(place, at: Double(second))
                graph.move(slot, to: position, settings: Self.settings, at: GatheringScene.moment(Double(second)))
            }
        }
        #expect(graph.clusters.map(\.count) == [10])
        graph.remove(4)
        #expect(graph.clusters.map(\.count).sorted() == [4, 5])
    }
}
