// What a plan tells others is less than what it tells its own person. The origin is where somebody is or lives, so in a copy
// for others the origin, the start and the first leg are missing, and all sums begin at the first stop: a sum over a leg that is
// not there would tell its length. Where nobody chose a time, the plan began when it was asked for, and the arrivals would tell
// the first leg to whoever knows when that was; so they are missing too. Arrivals otherwise lie on steps of five minutes.

/// A way through places for a day out.
package struct DayPlan: Sendable, Equatable, Codable {
    /// One of its places, and the way there.
    package struct Stop: Sendable, Equatable, Codable {
        package var place: PlannedPlace
        /// When one comes; nil where nobody is to know.
        package var arriveAt: Timestamp?
        /// When one goes on.
        package var leaveAt: Timestamp?
        /// Whether it is open when one comes; nil when nobody knows.
        package var isOpen: Bool?
        /// The way there; nil at the first stop of a plan without origin.
        package var leg: PlanLeg?

        /// Describes a stop.
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

    /// What its name must be.
    package static let nameRule = TextRule.line(1...80)

    /// Where one sets out; nil where nobody is to know.
    package var origin: Coordinate?
    /// When one sets out; nil where nobody is to know.
    package var startsAt: Timestamp?
    /// Whether somebody chose when one sets out.
    package var isTimed: Bool
    package var pace: PlanPace
    /// Fame, less what walking weighs.
    package var score: Double
    package var stops: [Stop]
    /// Whom to name beside its places.
    package var attribution: [String]

    /// Describes a plan.
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

    /// Metres to walk.
    package var distance: Double { self.stops.compactMap(\.leg?.distance).reduce(0, +) }

    /// Seconds to walk.
    package var duration: Double { self.stops.compactMap(\.leg?.duration).reduce(0, +) }

    /// Whether all ways were found on streets.
    package var isRouted: Bool { self.stops.compactMap(\.leg).allSatisfy(\.isRouted) }

    /// What it costs.
    package var cost: PlanCost { PlanCost(self.stops.map(\.place)) }

    /// What its places are called, one after the other.
    package var placeNames: [String] { self.stops.map(\.place.name) }

    /// What it is called before anybody gave it a name.
    package var suggestedName: String {
        Excerpt.of(self.placeNames.map(Isolation.of).joined(separator: " · "), longest: Self.nameRule.length.upperBound)
    }

    /// What of it may be kept; its score is then by what is kept of its places.
    package var kept: DayPlan {
        var plan = self
        for index in plan.stops.indices {
            let place = plan.stops[index].place
            plan.stops[index].place = place.kept
            plan.score += place.kept.fame - place.fame
        }
        return plan
    }

    /// The plan as others may know it.
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
