// A shared plan contains less than its owner's copy. The origin may be the owner's home, so a copy for others omits the
// origin, the start and the first leg. All sums begin at the first stop, because a sum that included the hidden leg
// would reveal its length. If the owner chose no start time, the plan begins at the time of the request. The arrivals
// would then reveal the first leg to anyone who knows that time, so they are omitted too. Other arrivals are multiples
// of five minutes.

/// A day plan: a route through several places.
package struct DayPlan: Sendable, Equatable, Codable {
    /// A place of the plan, with the leg that leads to it.
    package struct Stop: Sendable, Equatable, Codable {
        package var place: PlannedPlace
        /// The arrival; nil where it is hidden.
        package var arriveAt: Timestamp?
        /// The departure; nil where it is hidden.
        package var leaveAt: Timestamp?
        /// Whether the place is open on arrival; nil when unknown.
        package var isOpen: Bool?
        /// The leg to the place; nil at the first stop of a plan without origin.
        package var leg: PlanLeg?

        /// Creates a stop.
        package init(
            _ place: PlannedPlace,
            arriveAt: Timestamp?,
            leaveAt: Timestamp?,
            isOpen: Bool?,
            leg: PlanLeg?
        ) {
            self.place = place
            self.arriveAt = arriveAt
            self.leaveAt = leaveAt
            self.isOpen = isOpen
            self.leg = leg
        }
    }

    /// The rule for names.
    package static let nameRule = TextRule.line(1...80)

    /// The starting point; nil where it is hidden.
    package var origin: Coordinate?
    /// The start time; nil where it is hidden.
    package var startsAt: Timestamp?
    /// Whether the user chose the start time.
    package var isTimed: Bool
    package var pace: PlanPace
    /// The fame of the places less the weighted walking time.
    package var score: Double
    package var stops: [Stop]
    /// The attributions to show with the places.
    package var attribution: [String]

    /// Creates a plan.
    package init(
        origin: Coordinate?,
        startsAt: Timestamp?,
        isTimed: Bool,
        pace: PlanPace,
        score: Double,
        stops: [Stop],
        attribution: [String] = []
    ) {
        self.origin = origin
        self.startsAt = startsAt
        self.isTimed = isTimed
        self.pace = pace
        self.score = score
        self.stops = stops
        self.attribution = attribution
    }

    /// The total walking distance in metres.
    package var distance: Double { self.stops.compactMap(\.leg?.distance).reduce(0, +) }

    /// The total walking time in seconds.
    package var duration: Double { self.stops.compactMap(\.leg?.duration).reduce(0, +) }

    /// Whether all legs were routed on streets.
    package var isRouted: Bool { self.stops.compactMap(\.leg).allSatisfy(\.isRouted) }

    /// The cost.
    package var cost: PlanCost { PlanCost(self.stops.map(\.place)) }

    /// The names of the places, in order.
    var placeNames: [String] { self.stops.map(\.place.name) }

    /// The default name.
    package var suggestedName: String {
        Excerpt.of(self.placeNames.map(Isolation.of).joined(separator: " · "), longest: Self.nameRule.length.upperBound)
    }

    /// The part of the plan that may be stored; the score is adapted to the reduced places.
    package var kept: DayPlan {
        var plan = self
        for index in plan.stops.indices {
            let place = plan.stops[index].place
            plan.stops[index].place = place.kept
            plan.score += place.kept.fame - place.fame
        }
        return plan
    }

    /// The plan as other users may see it.
    package var withoutOrigin: DayPlan {
        var plan = self
        (plan.origin, plan.startsAt) = (nil, nil)
        guard let first = plan.stops.indices.first else { return plan }
        if let leg = plan.stops[first].leg { plan.score += leg.duration / 60 / plan.pace.minutesPerFame }
        plan.stops[first].leg = nil
        guard !plan.isTimed else { return plan }
        for index in plan.stops.indices {
            (plan.stops[index].arriveAt, plan.stops[index].leaveAt) = (nil, nil)
            plan.stops[index].isOpen = nil
        }
        return plan
    }
}
