/// The places of a group; all of them are far from each other.
struct ScenarioPlaces {
    let homes: [PlanePoint]
    let works: [PlanePoint]
    let cafe: PlanePoint
    let bar: PlanePoint
    let cinema: PlanePoint
    /// The first stop of the bus to work.
    let stop: PlanePoint
    /// The last stop, 20 to 30 minutes later.
    let terminus: PlanePoint

    /// Creates a town for the given number of people.
    init(people: Int, random: inout SeededGenerator) {
        var taken: [PlanePoint] = []
        func place(_ random: inout SeededGenerator) -> PlanePoint {
            while true {
                let point = PlanePoint(
                    east: Double.random(in: -7_000...7_000, using: &random),
                    north: Double.random(in: -7_000...7_000, using: &random)
                )
                guard taken.allSatisfy({ $0.distance(to: point) > 900 }) else { continue }
                taken.append(point)
                return point
            }
        }
        self.homes = (0..<people).map { _ in place(&random) }
        self.works = (0..<people).map { _ in place(&random) }
        self.cafe = place(&random)
        self.bar = place(&random)
        self.cinema = place(&random)
        let west = Double.random(in: -7_000...7_000, using: &random)
        self.stop = PlanePoint(east: west, north: 9_000)
        self.terminus = PlanePoint(east: west + 3_000, north: 22_000)
    }
}
