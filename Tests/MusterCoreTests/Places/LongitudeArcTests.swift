import Testing

@testable import MusterCore

@Suite("How far longitudes reach")
struct LongitudeArcTests {
    @Test(
        "parts on both sides of 180° are neighbours",
        arguments: [
            ([(177, 180), (-180, -178)], 177, -178, 179.5), ([(-180, -178), (177, 180)], 177, -178, 179.5),
            ([(170, 170), (-170, -170)], 170, -170, 180), ([(178, 180), (-180, -175)], 178, -175, -178.5),
            ([(-100, 100)], -100, 100, 0), ([(-180, 180)], -180, 180, 0),
            ([(10, 20), (15, 30), (-5, -5)], -5, 30, 12.5),
            ([(19, 180), (-180, -169)], 19, -169, 105), ([(-10, 10), (100, 120)], -10, 120, 55),
            ([(179, -179), (-178, -178)], 179, -178, -179.5), ([(5, 5)], 5, 5, 5),
        ] as [([(Double, Double)], Double, Double, Double)]
    )
    func holding(_ parts: [(Double, Double)], _ west: Double, _ east: Double, _ middle: Double) {
        let arc = LongitudeArc.holding(parts.map { LongitudeArc(west: $0.0, east: $0.1) })
        #expect(arc == LongitudeArc(west: west, east: east))
        #expect(arc?.middle == middle || arc?.middle == -middle && middle == 180)
    }

    @Test(
        "a line that jumps from one end of the map to the other crosses there; a wide box does not",
        arguments: [
            ([179.5, -179.5, -179], 179.5, -179), ([-179.5, 179.5], 179.5, -179.5), ([10, 20, 15], 10, 20),
            ([-100, 100, 100, -100, -100], -100, 100), ([-180, 180, 180, -180], -180, 180), ([-170, 170], -170, 170),
            ([177, 180, 180, 177], 177, 180),
        ] as [([Double], Double, Double)]
    )
    func line(_ longitudes: [Double], _ west: Double, _ east: Double) {
        #expect(LongitudeArc(line: longitudes) == LongitudeArc(west: west, east: east))
    }

    @Test("many places reach as far as they do, across 180° too")
    func reach() {
        var reach = PlaceReach()
        #expect(reach.extent == nil)
        for (latitude, longitude) in [(-17.0, 177.4), (-18, 179.9), (-16, -179.8), (-19, -178.5), (-17, 180)] {
            reach.add(Coordinate(latitude: latitude, longitude: longitude))
        }
        #expect(reach.extent == Place.Extent(west: 177.4, south: -19, east: -178.5, north: -16))
    }
}
