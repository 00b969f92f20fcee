/// Which places there are, and how long the ways between them are.
package struct PlanProblem: Sendable {
    /// Seconds of the longest way that anybody walks at once.
    package static let longestWalk = 45 * 60.0
    /// Stops of a category among which plans are looked for.
    package static let mostStops = 200

    /// The stops of each category, in the order in which they are visited; none is empty.
    package let categories: [[PlanStop]]
    /// Seconds on foot to each stop of a category, row by row: from the origin, or from each stop of the category before.
    package let walks: [[Double]]
    /// What one prefers.
    package let pace: PlanPace
    /// When one sets out; nil when that does not matter.
    package let schedule: PlanSchedule?

    /// Estimates the ways, and leaves out the stops of a category that are worst for their distance from the origin, where
    /// there are too many.
    ///
    /// The order of stops does not matter. Without an origin plans begin at their first stop.
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

    /// Creates a problem whose ways are known; infinite where there is none.
    ///
    /// - Precondition: there is a way to each stop: from the origin to those of the first category, and from all stops of a
    ///   category to all of the next; and stops are in the order of their places.
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

    /// The best stops of a category, in the order of their places.
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
