import Testing

@testable import MusterCore

@Suite("Plans for a day") struct DayPlanTests {
    private static let start = Timestamp(milliseconds: 1_732_060_800_000)

    private static func place(_ id: String, _ latitude: Double, price: Int? = nil, hours: String? = nil) -> PlannedPlace
    {
        PlannedPlace(
            id: id,
            name: "Place \(id)",
            category: .restaurant,
            coordinate: Coordinate(latitude: latitude, longitude: 24.9),
            source: "local",
            fame: 0.5,
            rating: 4,
            ratings: 10,
            priceLevel: price,
            openingHours: hours,
            address: "Street 1"
        )
    }

    private static func day(isTimed: Bool = true) -> PlanDay {
        PlanDay(
            origin: Coordinate(latitude: 60.17, longitude: 24.9),
            start: Self.start,
            isTimed: isTimed,
            startMinute: 12 * 60,
            stay: 58,
            pace: .close
        )
    }

    private static func plan(isTimed: Bool = true) -> DayPlan {
        Self.day(isTimed: isTimed).plan(
            [
                Self.place("a", 60.171, hours: "Mo 12:00-13:00"),
                Self.place("b", 60.172, price: 4, hours: "Mo 08:00-12:00"),
            ],
            legs: [
                PlanLeg(distance: 100, duration: 61, isRouted: true),
                PlanLeg(distance: 200, duration: 600, isRouted: false),
            ],
            score: 1
        )
    }

    @Test("arrivals lie on steps of five minutes, and say whether a place is open then")
    func times() {
        let plan = Self.plan()
        let minutes = plan.stops.map { stop in
            [stop.arriveAt, stop.leaveAt].map { ($0 ?? Self.start) - Self.start }.map { $0 / 60_000 }
        }
        #expect(minutes == [[5, 65], [75, 135]])
        #expect(plan.stops.map(\.isOpen) == [true, false])
        #expect((plan.distance, plan.duration, plan.isRouted) == (300, 661, false))
        #expect(plan.suggestedName == "Place a · Place b")
    }

    @Test("what others are told of a plan says neither where it begins nor how far that is")
    func withoutOrigin() throws {
        let copy = Self.plan().withoutOrigin
        #expect(copy.origin == nil && copy.startsAt == nil)
        #expect(copy.stops[0].leg == nil && copy.stops[1].leg != nil)
        #expect((copy.distance, copy.duration) == (200, 600))
        #expect(abs(copy.score - (1 + 61.0 / 600)) < 1e-9, "the first leg weighs nothing")
        #expect(copy.stops[0].arriveAt != nil, "somebody chose when to begin")
        #expect(copy.withoutOrigin == copy)
        // With another origin and another first leg the plan is the same.
        var day = Self.day()
        day.origin = Coordinate(latitude: 60.1695, longitude: 24.91)
        let first = PlanLeg(distance: 170, duration: 200, isRouted: true)
        let other = day.plan(
            Self.plan().stops.map(\.place),
            legs: [first, try #require(Self.plan().stops[1].leg)],
            score: 1 - (200 - 61.0) / 600
        )
        var same = other.withoutOrigin
        #expect(abs(same.score - copy.score) < 1e-9)
        same.score = copy.score
        #expect(same == copy)
    }

    @Test("when nobody chose a time, others are not told when it was asked for")
    func untimed() {
        let copy = Self.plan(isTimed: false).withoutOrigin
        #expect(copy.stops.allSatisfy { $0.arriveAt == nil && $0.leaveAt == nil && $0.isOpen == nil })
        #expect(Self.day(isTimed: false).schedule == nil)
    }

    @Test("the cost is the mean of what is known and what is usual, and says of how many it is known")
    func cost() {
        let cost = PlanCost([Self.place("a", 60), Self.place("b", 60, price: 4), Self.place("c", 60, price: 0)])
        #expect((cost.level, cost.known, cost.of) == (2, 2, 3))
        #expect(PlanCost([]).level == 0)
    }

    @Test("of a place whose source allows no more, id, name and position are kept")
    func bare() {
        var place = Self.place("a", 60)
        #expect(place.kept == place)
        place.isKeptBare = true
        let kept = place.kept
        #expect(kept.rating == nil && kept.address == nil && kept.ratings == 0)
        #expect(kept.fame == PlaceFame.unknown, "what people think of it is not kept either")
        var plan = Self.plan()
        plan.stops[1].place = place
        let famous = plan.kept
        plan.stops[1].place.fame = 0
        #expect(abs(plan.kept.score - famous.score - place.fame) < 1e-12, "nor does the score tell it")
        #expect(famous.stops[0] == plan.stops[0])
        #expect((kept.id, kept.name, kept.coordinate) == (place.id, place.name, place.coordinate))
    }
}
