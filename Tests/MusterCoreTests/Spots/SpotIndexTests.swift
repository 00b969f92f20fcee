import Testing

@testable import MusterCore

@Suite struct SpotIndexTests {
    /// The expected place, by a search of all places.
    private static func nearest(
        to point: Coordinate,
        within radius: Double,
        of places: [NamedPlace]
    ) -> NamedPlace? {
        places.map { (distance: $0.coordinate.distance(to: point), place: $0) }
            .filter { $0.distance <= radius }
            .min { ($0.distance, $0.place.spot) < ($1.distance, $1.place.spot) }?.place
    }

    /// The expected places, nearest first.
    private static func nearest(
        _ count: Int,
        to point: Coordinate,
        within radius: Double,
        of places: [NamedPlace]
    ) -> [NamedPlace] {
        places.map { (distance: $0.coordinate.distance(to: point), place: $0) }
            .filter { $0.distance <= radius }
            .sorted { ($0.distance, $0.place.spot) < ($1.distance, $1.place.spot) }
            .prefix(count).map(\.place)
    }

    /// A random point at most this many metres from another.
    private static func point(
        near center: Coordinate,
        within metres: Double,
        _ random: inout SeededGenerator
    ) -> Coordinate {
        let point = center.moved(
            .random(in: 0...metres, using: &random),
            bearing: .random(in: 0..<360, using: &random)
        )
        return Coordinate(
            latitude: max(-90, min(90, point.latitude)),
            longitude: point.longitude < -180 ? point.longitude + 360 : point.longitude
        )
    }

    @Test(
        "the nearest is found as by looking at every spot: in towns, at the antimeridian, at the poles",
        arguments: [
            (48.2082, 16.3738), (0, 0), (0, 180), (-17.0, -180), (0.000_01, 179.999_99), (65.5, -179.995), (-90, 0),
            (90, 12), (89.99, 0), (-89.995, 180), (89.5, -179.9),
        ] as [(Double, Double)]
    )
    func againstBruteForce(latitude: Double, longitude: Double) {
        let center = Coordinate(latitude: latitude, longitude: longitude)
        let radii = [20.0, 100, 700, 2000]
        for seed in 1...5 as ClosedRange<UInt64> {
            var random = SeededGenerator(seed: seed)
            var places = (1...200).map { number in
                NamedPlace(
                    spot: SpotID(Int64(number)),
                    coordinate: Self.point(near: center, within: number.isMultiple(of: 2) ? 8000 : 600, &random),
                    name: "spot \(number)"
                )
            }
            // Some at the exact centre, and two at the same distance.
            places[0].coordinate = center
            places[1].coordinate = places[2].coordinate
            places.shuffle(using: &random)
            var index = SpotIndex(places)
            for round in 0..<300 {
                if round.isMultiple(of: 5) {
                    let gone = places.removeLast()
                    index.remove(gone.spot)
                }
                let point = round == 0 ? center : Self.point(near: center, within: 8000, &random)
                let radius = radii[round % radii.count]
                let found = index.nearest(to: point, within: radius)
                #expect(
                    found == Self.nearest(to: point, within: radius, of: places),
                    "seed \(seed): within \(radius) m of \(point)"
                )
                #expect(
                    index.nearest(10, to: point, within: radius)
                        == Self.nearest(10, to: point, within: radius, of: places),
                    "seed \(seed): ten within \(radius) m of \(point)"
                )
            }
            #expect(index.count == places.count)
        }
    }

    @Test("a spot is found from the other side of the antimeridian and of the pole, and however far round one counts")
    func seams() {
        let east = NamedPlace(spot: SpotID(1), coordinate: Coordinate(latitude: 10, longitude: 180), name: "east")
        let pole = NamedPlace(spot: SpotID(2), coordinate: Coordinate(latitude: 89.9999, longitude: 0), name: "pole")
        let index = SpotIndex([east, pole])
        for longitude in [180, -180, 179.9999, -179.9999] as [Double] {
            #expect(index.nearest(to: Coordinate(latitude: 10, longitude: longitude), within: 20) == east)
        }
        for longitude in stride(from: -180.0, through: 180, by: 30) {
            #expect(index.nearest(to: Coordinate(latitude: 89.9999, longitude: longitude), within: 25) == pole)
            #expect(index.nearest(to: Coordinate(latitude: 90, longitude: longitude), within: 20) == pole)
        }
    }

    @Test("a circle of many cells is searched, too")
    func largeCircle() {
        let place = NamedPlace(spot: SpotID(1), coordinate: Coordinate(latitude: 0, longitude: 0.5), name: "far")
        let index = SpotIndex([place])
        #expect(index.nearest(to: Coordinate(latitude: 0, longitude: 0), within: 56_000) == place)
        #expect(index.nearest(to: Coordinate(latitude: 0, longitude: 0), within: 55_000) == nil)
    }

    @Test("what is added twice is there once, where it was put last; what is gone is gone")
    func replacing() {
        let here = Coordinate(latitude: 48, longitude: 16)
        let there = here.moved(5000, bearing: 90)
        var index = SpotIndex()
        index.insert(NamedPlace(spot: SpotID(1), coordinate: here, name: "old"))
        index.insert(NamedPlace(spot: SpotID(1), coordinate: there, name: "new"))
        #expect(index.count == 1)
        #expect(index.nearest(to: here, within: 100) == nil)
        #expect(index.nearest(to: there, within: 100)?.name == "new")
        index.remove(SpotID(1))
        index.remove(SpotID(1))
        #expect(index == SpotIndex())
    }
}
