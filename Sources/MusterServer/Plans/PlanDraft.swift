import MusterCore

// First, plans are computed with estimated walks. Then a router is asked for the walks between the places of the best
// plans. From these places, plans are computed again with the router's durations.

/// The computation of plans, without any waiting.
struct PlanDraft: Sendable {
    /// The places of each category to visit, in the order of the visit.
    let slots: [[PlannedPlace]]
    let day: PlanDay
    let count: Int

    /// A question for the router: the start and the places that are worth the request.
    struct Question: Sendable {
        /// The stops of each category.
        let stops: [[PlanStop]]
        /// The origin, followed by each place once.
        let points: [Coordinate]
        /// The indices of the places among the points.
        let numbers: [String: Int]
    }

    /// Plans with estimated walks.
    func estimated() -> [DayPlan] {
        let problem = self.problem
        return self.plans(problem) { _ in nil }
    }

    /// The question for a router.
    func question() -> Question {
        let problem = self.problem
        guard !self.slots.isEmpty else { return Question(stops: [], points: [self.day.origin], numbers: [:]) }
        let best = Planner(problem).bestStops((WalkTable.mostPoints - 1) / self.slots.count)
        let stops = zip(problem.categories, best).map { stops, best in best.map { stops[$0] } }
        var (points, numbers) = ([self.day.origin], [String: Int]())
        for stop in stops.joined() where numbers[stop.place] == nil {
            numbers[stop.place] = points.count
            points.append(stop.coordinate)
        }
        return Question(stops: stops, points: points, numbers: numbers)
    }

    /// Plans with a router's walks.
    func routed(_ question: Question, _ table: WalkTable) -> [DayPlan] {
        guard question.stops.allSatisfy({ !$0.isEmpty }) else { return [] }
        func number(_ stop: PlanStop) -> Int { question.numbers[stop.place] ?? 0 }
        let walks = question.stops.indices.map { slot -> [Double] in
            let starts = slot > 0 ? question.stops[slot - 1].map(number) : [0]
            return starts.flatMap { start in
                question.stops[slot].map { table[start, number($0)]?.seconds ?? .infinity }
            }
        }
        let problem = PlanProblem(
            ordered: question.stops,
            walks: walks,
            pace: self.day.pace,
            schedule: self.day.schedule
        )
        return self.plans(problem) { stops in
            zip([0] + stops.map(number), stops.map(number)).map { start, end in
                table[start, end].map { PlanLeg(distance: $0.metres, duration: $0.seconds, isRouted: true) }
            }
        }
    }

    private var problem: PlanProblem {
        PlanProblem(
            self.slots.map { $0.map(\.stop) },
            from: self.day.origin,
            pace: self.day.pace,
            schedule: self.day.schedule
        )
    }

    private func plans(_ problem: PlanProblem, legs: ([PlanStop]) -> [PlanLeg?]?) -> [DayPlan] {
        guard !problem.categories.isEmpty else { return [] }
        let places = self.slots.map { slot in
            Dictionary(slot.map { ($0.id, $0) }) { first, _ in first }
        }
        return Planner(problem).plans(self.count).map { plan in
            let stops = plan.stops.enumerated().map { problem.categories[$0.offset][$0.element] }
            let starts = [self.day.origin] + stops.map(\.coordinate)
            let known = legs(stops) ?? stops.map { _ in nil }
            let ways = stops.indices.map {
                known[$0] ?? PlanLeg(from: starts[$0], to: stops[$0].coordinate)
            }
            let visited = zip(places, stops).compactMap { places, stop in places[stop.place] }
            return self.day.plan(visited, legs: ways, score: plan.score)
        }
    }
}
