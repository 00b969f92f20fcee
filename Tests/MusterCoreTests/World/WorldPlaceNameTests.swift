import Testing

@testable import MusterCore

@Suite struct WorldPlaceNameTests {
    private static let cafe = Coordinate(latitude: 50, longitude: 8)

    private static func place(_ spot: Int64, _ metres: Double, _ name: String) -> NamedPlace {
        NamedPlace(spot: SpotID(spot), coordinate: self.cafe.moved(metres, bearing: 90), name: name)
    }

    /// Lets users 7 and 8 of group 1 meet at a place while user 9 stays 3 km away, and returns the effects.
    private static func meet(
        _ test: inout WorldUnderTest,
        at place: Coordinate = Self.cafe,
        from sequence: Int64 = 1
    ) -> (statuses: [GatheringStatus], alerts: [NotificationContent]) {
        var effects: [WorldEffect] = []
        for sequence in sequence..<(sequence + 40) {
            effects += test.iterate(
                WorldUnderTest.report(7, test.fix(sequence, lat: place.latitude, lon: place.longitude)),
                WorldUnderTest.report(8, test.fix(sequence, lat: place.latitude, lon: place.longitude)),
                WorldUnderTest.report(9, test.fix(sequence, lat: place.latitude + 0.03, lon: place.longitude))
            )
            effects += test.pass(10_000)
        }
        return (
            effects.records.compactMap { if case .gathering(let record) = $0 { record.status } else { nil } },
            effects.records.compactMap { if case .notification(let alert) = $0 { alert.content } else { nil } }
        )
    }

    private static func world() -> WorldUnderTest {
        var test = WorldUnderTest()
        for user in [7, 8, 9] as [Int64] { test.open(user, user: user, members: [1: [7, 8, 9]]) }
        return test
    }

    @Test("a gathering is called by the nearest spot, in the frame, the roster, the alert and the record")
    func nearest() throws {
        var test = Self.world()
        test.iterate(
            .spots(.added([Self.place(1, 90, "Bar"), Self.place(2, 40, "Blue Bottle"), Self.place(3, 130, "Far")]))
        )
        let notified = Self.meet(&test)
        #expect(notified.statuses.first?.place.name == "Blue Bottle")
        #expect(notified.alerts.map { $0.payload["place"]?["name"]?.text } == ["Blue Bottle"])
        #expect(test.world.roster(of: GroupID(1))?.gathering?.place.name == "Blue Bottle")
    }

    @Test("beyond the group's radius no spot names it")
    func outside() {
        var test = Self.world()
        test.iterate(.spots(.added([Self.place(1, 101, "Too far")])))
        let notified = Self.meet(&test)
        #expect(!notified.statuses.isEmpty && notified.statuses.allSatisfy { $0.place.name == nil })
        #expect(notified.alerts.map { $0.payload["place"]?["name"]?.text } == [nil])
    }

    @Test("a deleted spot names none that begin later, and what was called by it stays so")
    func deleted() throws {
        var test = Self.world()
        test.iterate(.spots(.added([Self.place(1, 10, "Blue Bottle"), Self.place(2, 60, "Bar")])))
        _ = Self.meet(&test)
        test.iterate(.spots(.deleted([SpotID(1)])))
        // The spot arrives late, after its deletion.
        test.iterate(.spots(.added([Self.place(1, 10, "Blue Bottle")])))
        test.pass(10_000)
        #expect(test.world.roster(of: GroupID(1))?.gathering?.place.name == "Blue Bottle")
        // All of them move on and come back.
        let away = Self.meet(&test, at: Self.cafe.moved(3000, bearing: 0), from: 41)
        #expect(away.statuses.last?.state == .moved && away.statuses.last?.place.name == nil)
        let back = Self.meet(&test, from: 81)
        #expect(back.statuses.last?.state == .moved && back.statuses.last?.place.name == "Bar")
    }

    @Test("a spot that is added while people are there names what begins or moves later, not what lasts")
    func addedLater() {
        var test = Self.world()
        _ = Self.meet(&test)
        test.iterate(.spots(.added([Self.place(1, 10, "Blue Bottle")])))
        let notified = Self.meet(&test, from: 41)
        #expect(notified.statuses.allSatisfy { $0.place.name == nil })
        #expect(test.world.roster(of: GroupID(1))?.gathering?.place.name == nil)
    }
}
