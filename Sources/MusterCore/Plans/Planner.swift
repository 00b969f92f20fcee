// The solver may visit one place for two categories. If its best plan does, the search branches: the place is forbidden
// in one category or in the other. The branch with the better result is examined first, so the first plan without
// repeats is the best of all. When many places are equal this may take long. So after a number of decisions the best
// plan found so far is returned. The more each decision costs, the fewer are made.

/// Finds plans that visit a place of each category, best first.
package struct Planner: Sendable {
    /// A plan.
    package struct Plan: Sendable, Equatable {
        /// The index of the stop in each category.
        package let stops: [Int]
        /// The fame of the places less the weighted walking time.
        package let score: Double
        /// The walking time in seconds.
        package let walking: Double
    }

    /// The range of decisions about repeated places per plan.
    ///
    /// Expensive decisions reduce the number, because a user waits for the result, but some are always made.
    private static let decisions = 2...200
    /// The maximum number of legs examined for the decisions of one plan.
    private static let mostEffort = 60_000_000
    /// The branches of a decision.
    private static let waysOn = 2

    private let problem: PlanProblem
    private let solver: PlanSolver

    /// Creates a planner for a problem.
    package init(_ problem: PlanProblem) {
        self.problem = problem
        self.solver = PlanSolver(problem)
    }

    /// The best plans, at most `count`: each shares at most half of its places with those before it.
    package func plans(_ count: Int) -> [Plan] {
        guard !self.problem.categories.isEmpty, self.problem.categories.allSatisfy({ !$0.isEmpty }) else { return [] }
        var plans: [Plan] = []
        var used: Set<String> = []
        while plans.count < count, let path = self.best(avoiding: used, isFirst: plans.isEmpty) {
            plans.append(Plan(stops: path.stops, score: path.value.score, walking: path.value.walking))
            used.formUnion(self.places(of: path))
        }
        return plans
    }

    /// The stops of each category that the best plans pass through, at most `count` per category.
    ///
    /// These are the stops for which routing the real walking times pays off.
    package func bestStops(_ count: Int) -> [[Int]] {
        self.solver.valuesThroughStops().map { values in
            let best = values.indices.filter { values[$0].isPossible }
                .sorted { (values[$1], $0) < (values[$0], $1) }
            return best.prefix(count).sorted()
        }
    }

    private func places(of path: PlanSolver.Path) -> [String] {
        path.stops.enumerated().map { self.problem.categories[$0][$1].place }
    }

    // MARK: - Without repeats

    /// The best plan that visits no place twice, with few enough used stops; nil when there is none.
    private func best(avoiding used: Set<String>, isFirst: Bool) -> PlanSolver.Path? {
        let bounds = PlanSolver.Bounds(
            isForbidden: self.problem.categories.map { $0.map { _ in false } },
            isUsed: self.problem.categories.map { $0.map { used.contains($0.place) } },
            mostUsed: isFirst ? 0 : self.problem.categories.count / 2
        )
        guard let path = self.solver.best(bounds) else { return nil }
        var open = [(path: path, bounds: bounds)]
        var good: PlanSolver.Path?
        for _ in 0..<self.mostDecisions(bounds) {
            guard let index = open.indices.min(by: { self.isBetter(open[$0].path, open[$1].path) }) else { return good }
            let (path, bounds) = open.remove(at: index)
            guard let (first, second) = self.repeated(in: path) else { return path }
            for category in [first, second] {
                var narrower = bounds
                narrower.isForbidden[category][path.stops[category]] = true
                let (best, withoutRepeats) = self.solver.bestAndGood(narrower)
                if let best { open.append((best, narrower)) }
                if let withoutRepeats, good.map({ self.isBetter(withoutRepeats, $0) }) ?? true {
                    good = withoutRepeats
                }
            }
        }
        return good
    }

    private func mostDecisions(_ bounds: PlanSolver.Bounds) -> Int {
        let effort = self.solver.effort * (bounds.mostUsed + 1) * Self.waysOn
        return min(Self.decisions.upperBound, max(Self.decisions.lowerBound, Self.mostEffort / effort))
    }

    /// Whether a plan precedes another: it has a greater value, or an equal value with earlier stops.
    private func isBetter(_ left: PlanSolver.Path, _ right: PlanSolver.Path) -> Bool {
        left.value == right.value ? left.stops.lexicographicallyPrecedes(right.stops) : left.value > right.value
    }

    /// Two categories for which a plan visits the same place; nil when there are none.
    private func repeated(in path: PlanSolver.Path) -> (Int, Int)? {
        var visits: [String: Int] = [:]
        for (category, place) in self.places(of: path).enumerated() {
            if let first = visits.updateValue(category, forKey: place) { return (first, category) }
        }
        return nil
    }
}
