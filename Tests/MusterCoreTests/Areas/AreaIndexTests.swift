import Testing

@testable import MusterCore

@Suite struct AreaIndexTests {
    /// The naive model: a search of all areas.
    private struct Model {
        var areas: [AreaInterest: Area] = [:]
        var positions: [UserID: Coordinate] = [:]

        func interests(at point: Coordinate) -> Set<AreaInterest> {
            Set(
                self.areas.filter { _, area in
                    switch area {
                    case .around(let user, let radius):
                        self.positions[user].map { $0.distance(to: point) <= radius } ?? false
                    case .circle(let center, let radius): center.distance(to: point) <= radius
                    case .box(let south, let west, let north, let east):
                        point.latitude >= south && point.latitude <= north
                            && (west <= east
                                ? point.longitude >= west && point.longitude <= east
                                : point.longitude >= west || point.longitude <= east)
                    case .everywhere: true
                    }
                }.keys
            )
        }
    }

    private static func interest(_ number: Int) -> AreaInterest { AreaInterest(SessionID(Int64(number)), .spots) }

    /// A point near another, anywhere on the sphere.
    private static func point(
        near center: Coordinate,
        within metres: Double,
        _ random: inout SeededGenerator
    ) -> Coordinate {
        let degrees = metres / Coordinate.metresPerDegree
        var latitude = center.latitude + .random(in: -degrees...degrees, using: &random)
        var longitude = center.longitude
        if latitude > 90 { (latitude, longitude) = (180 - latitude, longitude + 180) }
        if latitude < -90 { (latitude, longitude) = (-180 - latitude, longitude + 180) }
        let parallel = max(0.000_01, 1 - abs(latitude) / 90)
        longitude += .random(in: -1...1, using: &random) * min(180, degrees / parallel)
        longitude = longitude.truncatingRemainder(dividingBy: 360)
        if longitude > 180 { longitude -= 360 }
        if longitude < -180 { longitude += 360 }
        return Coordinate(latitude: latitude, longitude: longitude)
    }

    private static func area(
        near center: Coordinate,
        of user: UserID,
        _ random: inout SeededGenerator
    ) -> Area {
        switch Int.random(in: 0..<10, using: &random) {
        case 0: return .everywhere
        case 1:
            let middle = Self.point(near: center, within: 20_000, &random)
            return .circle(middle, radius: .random(in: 1...30_000, using: &random))
        case 2:
            let corner = Self.point(near: center, within: 60_000, &random)
            let width = Double.random(in: 0.001...(Bool.random(using: &random) ? 1 : 300), using: &random)
            let east = corner.longitude + width
            return .box(
                south: corner.latitude,
                west: corner.longitude,
                north: min(90, corner.latitude + .random(in: 0.001...1, using: &random)),
                east: east > 180 ? east - 360 : east
            )
        case _:
            let radii = [100.0, 160, 161, 1000, 5000, 50_000, 2_000_000]
            return .around(user, radius: radii.randomElement(using: &random) ?? 100)
        }
    }

    @Test(
        "exactly those are found in whose area a point lies: in towns, at the date line, at the poles, while people come, go and move",
        arguments: [
            (48.2082, 16.3738), (0, 0), (0, 180), (-17.0, -180), (65.5, -179.995), (-90, 0), (90, 12), (89.9, 0),
            (-89.995, 180),
        ] as [(Double, Double)]
    )
    func againstBruteForce(latitude: Double, longitude: Double) {
        let center = Coordinate(latitude: latitude, longitude: longitude)
        for seed in 1...4 as ClosedRange<UInt64> {
            var random = SeededGenerator(seed: seed)
            var index = AreaIndex()
            var model = Model()
            for round in 0..<2500 {
                let number = Int.random(in: 1...120, using: &random)
                // Two areas per user, which move together.
                let user = UserID(Int64(number / 2 + 1))
                switch Int.random(in: 0..<8, using: &random) {
                case 0:
                    let area = Self.area(near: center, of: user, &random)
                    index.insert(Self.interest(number), area, at: model.positions[user])
                    model.areas[Self.interest(number)] = area
                case 1:
                    index.remove(Self.interest(number))
                    model.areas[Self.interest(number)] = nil
                case _:
                    // A move of a few metres, or far away.
                    let from = model.positions[user] ?? center
                    let reach = Bool.random(using: &random) ? 50.0 : 20_000
                    let to = Self.point(near: reach == 50 ? from : center, within: reach, &random)
                    index.move(user, to: to)
                    model.positions[user] = to
                }
                guard round.isMultiple(of: 5) else { continue }
                let point = round == 0 ? center : Self.point(near: center, within: 30_000, &random)
                let hits = index.hits(at: point, of: .spots)
                #expect(Set(hits.map(\.interest)) == model.interests(at: point), "seed \(seed), round \(round)")
                #expect(hits.count == Set(hits.map(\.interest)).count, "each once")
            }
            #expect(index.count == model.areas.count)
        }
    }

    @Test("an area that follows somebody is nowhere until they are somewhere, and says so once")
    func firstPosition() {
        let here = Coordinate(latitude: 48, longitude: 16)
        var index = AreaIndex()
        index.insert(Self.interest(1), .around(UserID(7), radius: 500))
        #expect(!index.isPlaced(Self.interest(1)))
        #expect(index.hits(at: here, of: .spots).isEmpty)
        let isFirst = index.move(UserID(7), to: here)
        #expect(isFirst)
        #expect(index.isPlaced(Self.interest(1)))
        #expect(index.hits(at: here, of: .spots) == [AreaIndex.Hit(interest: Self.interest(1), distance: 0)])
        let isAgain = index.move(UserID(7), to: here.moved(20_000, bearing: 90))
        #expect(!isAgain)
        #expect(index.hits(at: here, of: .spots).isEmpty)
        let isStranger = index.move(UserID(8), to: here)
        #expect(!isStranger, "nothing follows them")
    }

    @Test("a hit says how far the middle of a circle is; other shapes have none")
    func distances() throws {
        let here = Coordinate(latitude: 48, longitude: 16)
        var index = AreaIndex()
        index.insert(Self.interest(1), .circle(here, radius: 500))
        index.insert(Self.interest(2), .box(south: 47, west: 15, north: 49, east: 17))
        let point = here.moved(312, bearing: 45)
        let hits = index.hits(at: point, of: .spots)
        let circle = try #require(hits.first { $0.interest == Self.interest(1) }?.distance)
        #expect(abs(circle - 312) < 2)
        #expect(hits.contains(AreaIndex.Hit(interest: Self.interest(2), distance: nil)))
    }
}
