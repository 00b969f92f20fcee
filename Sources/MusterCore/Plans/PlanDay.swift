/// The circumstances of a plan, by which places in an order become a day.
package struct PlanDay: Sendable, Equatable {
    /// Where one sets out.
    package var origin: Coordinate
    /// When one sets out.
    package var start: Timestamp
    /// Whether somebody chose that moment.
    package var isTimed: Bool
    /// The minute of the week that it is then at the place.
    package var startMinute: Int
    /// Minutes at each place.
    package var stay: Int
    /// When one must have left the last place; nil for whenever.
    package var end: Timestamp?
    package var pace: PlanPace

    /// Describes a day.
    package init(
        origin: Coordinate,
        start: Timestamp,
        isTimed: Bool,
        startMinute: Int,
        stay: Int,
        end: Timestamp? = nil,
        pace: PlanPace
    ) {
        self.origin = origin
        self.start = start
        self.isTimed = isTimed
        self.startMinute = startMinute
        self.stay = stay
        self.end = end
        self.pace = pace
    }

    /// What the planner must know of times; nil when whoever asks chose neither a beginning nor an end.
    package var schedule: PlanSchedule? {
        guard self.isTimed || self.end != nil else { return nil }
        let duration = self.end.map { Int(($0 - self.start) / 60_000) }
        return PlanSchedule(begin: self.startMinute, stay: self.stay, duration: duration)
    }

    /// The plan that leads through places by these ways, one to each of them.
    package func plan(_ places: [PlannedPlace], legs: [PlanLeg], score: Double) -> DayPlan {
        var minutes = 0
        let stops = zip(places, legs).map { place, leg in
            minutes += Self.wholeSteps(leg.duration / 60)
            let arrival = minutes
            minutes += Self.wholeSteps(Double(self.stay))
            let hours = place.openingHours.flatMap { OpeningHours($0) }
            return DayPlan.Stop(
                place,
                arriveAt: self.start + Int64(arrival) * 60_000,
                leaveAt: self.start + Int64(minutes) * 60_000,
                isOpen: hours.map { $0.isOpen(at: self.startMinute + arrival) },
                leg: leg
            )
        }
        return DayPlan(
            origin: self.origin,
            startsAt: self.start,
            isTimed: self.isTimed,
            pace: self.pace,
            score: score,
            stops: stops
        )
    }

    /// Minutes, rounded up to the planner's steps.
    private static func wholeSteps(_ minutes: Double) -> Int {
        Int((minutes / Double(PlanSchedule.step)).rounded(.up)) * PlanSchedule.step
    }
}
