import Testing

@testable import MusterCore

@Suite("Coordinates")
struct CoordinateTests {
    @Test(
        "distances agree with published ones",
        arguments: [
            // One degree of latitude, and of longitude at 60° north, on the mean sphere.
            (Coordinate(latitude: 10, longitude: 20), Coordinate(latitude: 11, longitude: 20), 111_195.0, 1.0),
            (Coordinate(latitude: 60, longitude: 20), Coordinate(latitude: 60, longitude: 21), 55_597.0, 5.0),
            // Across the date line and to the antipode.
            (Coordinate(latitude: 0.1, longitude: 179.9), Coordinate(latitude: 0.1, longitude: -179.9), 22_239.0, 1.0),
            (Coordinate(latitude: 0, longitude: 0), Coordinate(latitude: 0, longitude: 180), 20_015_115.0, 10.0),
            // Paris to London: 344 km in any almanac.
            (
                Coordinate(latitude: 48.8566, longitude: 2.3522), Coordinate(latitude: 51.5074, longitude: -0.1278),
                343_556.0, 500.0
            ),
        ]
    )
    func distances(from: Coordinate, to: Coordinate, expected: Double, tolerance: Double) {
        #expect(abs(from.distance(to: to) - expected) <= tolerance)
        #expect(from.distance(to: to) == to.distance(to: from))
    }

    @Test("a distance to oneself is nothing, and centimetres are told apart")
    func small() {
        let here = Coordinate(latitude: 40.7128, longitude: -74.006)
        let beside = Coordinate(latitude: 40.7128 + 0.01 / Coordinate.metresPerDegree, longitude: -74.006)
        #expect(here.distance(to: here) == 0)
        #expect(abs(here.distance(to: beside) - 0.01) < 0.001)
    }

    @Test("the fast distance is the exact one wherever rules look", arguments: [0.0, 40, -65, 80, 88])
    func localDistance(latitude: Double) {
        var random = SeededGenerator(seed: 7)
        for metres in [1.0, 50, 100, 150, 1000, 4000, 10_000] {
            let bearing = Double.random(in: 0..<360, using: &random)
            let here = Coordinate(latitude: latitude, longitude: 179.999)
            let there = here.moved(metres, bearing: bearing)
            let exact = here.distance(to: there)
            #expect(abs(LocalPoint(here).distance(to: LocalPoint(there)) - exact) / exact < 5e-4)
        }
    }

    @Test("approximate positions lie on the grid, and repeated looks tell nothing more")
    func grid() {
        let place = Coordinate(latitude: 40.71281, longitude: -74.00601)
        #expect(place.snappedToGrid == Coordinate(latitude: 40.71, longitude: -74.01))
        #expect(place.snappedToGrid.snappedToGrid == place.snappedToGrid)
        #expect("\(Coordinate(latitude: 0.289999, longitude: -0.570001).snappedToGrid.latitude)" == "0.29")
        let moved = Coordinate(latitude: 40.71282, longitude: -74.00602)
        #expect(moved.snappedToGrid == place.snappedToGrid)
    }

    @Test("whether two points are within reach is what their distance says, all over the earth")
    func reach() {
        var random = SeededGenerator(seed: 7)
        for round in 0..<20_000 {
            let here = Coordinate(
                latitude: Double.random(in: -90...90, using: &random),
                longitude: Double.random(in: -180...180, using: &random)
            )
            let metres = Double.random(in: 0.5...1, using: &random) * [10, 1_000, 100_000, 2_000_000][round % 4]
            let there = here.moved(metres, bearing: Double.random(in: 0...360, using: &random))
            let distance = here.distance(to: there)
            for reach in [distance * 0.5, distance * 0.999, distance, distance * 1.001, distance * 2, -1] {
                #expect(here.isWithin(reach, of: there) == (distance <= reach), "\(here), \(there), \(reach)")
            }
        }
        let here = Coordinate(latitude: 10, longitude: 180)
        #expect(here.isWithin(0, of: here))
        #expect(here.isWithin(30, of: Coordinate(latitude: 10, longitude: -179.9999)))
    }

    @Test("the median ignores one who is far away")
    func median() {
        let here = Coordinate(latitude: 40, longitude: -74)
        let near = here.moved(20, bearing: 45)
        let far = here.moved(50_000, bearing: 100)
        let median = Coordinate.median(of: [far, here, near])
        #expect(median.map { $0.distance(to: here) < 30 } == true)
        #expect(Coordinate.median(of: []) == nil)
    }

    @Test("the median of people on both sides of the date line lies between them")
    func medianAcrossDateLine() {
        let median = Coordinate.median(of: [
            Coordinate(latitude: 1, longitude: 179.99), Coordinate(latitude: 1, longitude: -179.99),
        ])
        #expect(median.map { abs(abs($0.longitude) - 180) < 1e-9 } == true)
    }
}
