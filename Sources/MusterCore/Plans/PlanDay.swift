/// The circumstances of a plan, by which a sequence of places becomes a day.
package struct PlanDay: Sendable, Equatable {
    /// The starting point.
    package var origin: Coordinate
    /// The start time.
    package var start: Timestamp
    /// Whether the user chose the start time.
    package var isTimed: Bool
    /// The minute of the week of the start, in the time zone of the place.
    package var startMinute: Int
    /// The stay at each place, in minutes.
    package var stay: Int
    /// The latest departure from the last place; nil for no limit.
    package var end: Timestamp?
    package var pace: PlanPace

    /// Creates the circumstances.
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

    /// The time constraints for the planner; nil when the user chose neither a start nor an end.
    package var schedule: PlanSchedule? {
        guard self.isTimed || self.end != nil else { return nil }
        let duration = self.end.map { Int(($0 - self.start) / 60_000) }
        return PlanSchedule(begin: self.startMinute, stay: self.stay, duration: duration)
    }

    /// The plan through these places by these legs, one leg to each place.
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

    /// Minutes, rounded up to multiples of the planner's step.
    private static func wholeSteps(_ minutes: Double) -> Int {
        Int((minutes / Double(PlanSchedule.step)).rounded(.up)) * PlanSchedule.step
    }
}
