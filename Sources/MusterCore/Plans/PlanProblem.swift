/// The candidate places of a plan and the walking times between them.
package struct PlanProblem: Sendable {
    /// The maximum duration of one leg in seconds.
    static let longestWalk = 45 * 60.0
    /// The maximum number of stops per category that are considered.
    package static let mostStops = 200

    /// The stops of each category, in the order of visit; no category is empty.
    package let categories: [[PlanStop]]
    /// The walking time in seconds to each stop of a category, row by row: from the origin, or from each stop of the
    /// previous category.
    package let walks: [[Double]]
    /// The user's preference.
    package let pace: PlanPace
    /// The time constraints; nil when times do not matter.
    package let schedule: PlanSchedule?

    /// Estimates the walking times.
    ///
    /// Where a category has too many stops, those with the worst fame for their distance from the origin are dropped.
    ///
    /// The order of the stops does not matter. Without an origin a plan begins at its first stop.
    package init(
        _ categories: [[PlanStop]],
        from origin: Coordinate?,
        pace: PlanPace = .balanced,
        schedule: PlanSchedule? = nil
    ) {
        let kept = categories.map { Self.best($0, from: origin, pace: pace) }
        var walks: [[Double]] = []
        for (index, stops) in kept.enumerated() {
            let starts = index > 0 ? kept[index - 1].map(\.coordinate) : [origin].compactMap(\.self)
            walks.append(starts.flatMap { start in stops.map { WalkEstimate.seconds(from: start, to: $0.coordinate) } })
        }
        if origin == nil, !walks.isEmpty { walks[0] = kept[0].map { _ in 0 } }
        self.init(ordered: kept, walks: walks, pace: pace, schedule: schedule)
    }

    /// Creates a problem with known walking times; infinite where there is no route.
    ///
    /// - Precondition: there is a time for each stop: from the origin for the first category, and from all stops of
    ///   each category to all of the next. The stops are ordered by their places.
    package init(ordered categories: [[PlanStop]], walks: [[Double]], pace: PlanPace, schedule: PlanSchedule?) {
        precondition(walks.count == categories.count, "each category needs the ways to it")
        for index in categories.indices {
            let starts = index > 0 ? categories[index - 1].count : 1
            precondition(walks[index].count == starts * categories[index].count, "each stop needs the ways to it")
        }
        self.categories = categories
        self.walks = walks
        self.pace = pace
        self.schedule = schedule
    }

    /// The best stops of a category, ordered by their places.
    private static func best(_ stops: [PlanStop], from origin: Coordinate?, pace: PlanPace) -> [PlanStop] {
        let ordered = stops.sorted { $0.place < $1.place }
        guard ordered.count > Self.mostStops else { return ordered }
        let values = ordered.map { stop in
            let walk = origin.map { WalkEstimate.seconds(from: $0, to: stop.coordinate) } ?? 0
            return stop.fame - walk / 60 / pace.minutesPerFame
        }
        let best = ordered.indices.sorted { (values[$1], $0) < (values[$0], $1) }.prefix(Self.mostStops)
        return best.sorted().map { ordered[$0] }
    }
}
