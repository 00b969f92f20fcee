// Dynamic programming over the categories, from the last to the first. Each table entry is the value of the best
// remaining plan from a stop on. The state also includes whatever else affects the rest: the number of walking steps so
// far (if there is a schedule), and how many more stops of earlier plans are permitted. The path is read from the first
// category on, taking the first stop among equals. So of all best plans the one with the first places is returned.
//
// The table entry for stop k, after w steps of walking, with u used stops left, is at (u · widths + w) · stops + k.

/// Finds the best plan of a problem; the plan may visit one place for two categories.
struct PlanSolver {
    /// The stops that a plan must not contain, and those that earlier plans used.
    struct Bounds {
        /// By category and stop.
        var isForbidden: [[Bool]]
        /// By category and stop.
        var isUsed: [[Bool]]
        /// The maximum number of used stops.
        var mostUsed: Int
    }

    /// A plan: the index of its stop in each category, and its value.
    struct Path: Equatable {
        var stops: [Int]
        var value: PlanValue
    }

    /// The penalty for a place with unknown opening hours.
    private static let unknownHours = 0.05

    private let problem: PlanProblem
    /// The values of the legs to a category, in the layout of the problem's `walks`.
    private let ways: [[PlanValue]]
    /// The steps of the legs, if there is a schedule.
    private let steps: [[UInt8]]
    /// The number of possible step counts on arrival at each category.
    private let widths: [Int]
    /// The values of the stops themselves, row by row: for each number of steps.
    private let owns: [[PlanValue]]

    /// Prepares to solve a problem.
    init(_ problem: PlanProblem) {
        self.problem = problem
        let hasSchedule = problem.schedule != nil
        let longest = Self.steps(PlanProblem.longestWalk)
        self.widths = problem.categories.indices.map { hasSchedule ? ($0 + 1) * longest + 1 : 1 }
        self.ways = problem.walks.enumerated().map { category, walks in
            Self.ways(to: category, walks, in: problem)
        }
        self.steps =
            hasSchedule
            ? problem.walks.map { walks in walks.map { UInt8(Self.steps(min($0, PlanProblem.longestWalk))) } } : []
        let widths = self.widths
        self.owns = problem.categories.indices.map { category in
            (0..<widths[category]).flatMap { width in
                problem.categories[category].map { Self.value(of: $0, in: category, after: width, problem.schedule) }
            }
        }
    }

    private static func steps(_ seconds: Double) -> Int {
        Int((seconds / Double(60 * PlanSchedule.step)).rounded(.up))
    }

    /// The value of a stop itself, after a number of walking steps.
    private static func value(
        of stop: PlanStop,
        in category: Int,
        after width: Int,
        _ schedule: PlanSchedule?
    ) -> PlanValue {
        guard let schedule else { return PlanValue(score: stop.fame) }
        switch schedule.outcomeOfVisit(stop.hours, after: width + category * schedule.staySteps) {
        case .open: return PlanValue(score: stop.fame)
        case .unknown: return PlanValue(score: stop.fame - Self.unknownHours)
        case .impossible: return .impossible
        }
    }

    /// The values of the legs to a category; a leg from a place to itself is impossible.
    private static func ways(to category: Int, _ walks: [Double], in problem: PlanProblem) -> [PlanValue] {
        let stops = problem.categories[category]
        let perMinute = 1 / problem.pace.minutesPerFame
        return walks.indices.map { index in
            guard walks[index] <= PlanProblem.longestWalk else { return .impossible }
            let (start, end) = index.quotientAndRemainder(dividingBy: stops.count)
            if category > 0, problem.categories[category - 1][start].place == stops[end].place { return .impossible }
            return PlanValue(
                score: -walks[index] / 60 * perMinute,
                walking: Int64((walks[index] * 1000).rounded())
            )
        }
    }

    /// The number of legs that are examined to find one plan, for each number of used stops.
    var effort: Int {
        let counts = self.problem.categories.map(\.count)
        return self.widths.indices.dropLast().map { self.widths[$0] * counts[$0] * counts[$0 + 1] }.reduce(1, +)
    }

    // MARK: - Best plans

    /// The best plan within bounds; nil when there is none.
    func best(_ bounds: Bounds) -> Path? { self.read(self.tables(bounds), bounds, canRepeat: true) }

    /// The best plan within bounds, and a good one that visits no place twice; nil when there is none or none is found.
    func bestAndGood(_ bounds: Bounds) -> (best: Path?, withoutRepeats: Path?) {
        let tables = self.tables(bounds)
        return (self.read(tables, bounds, canRepeat: true), self.read(tables, bounds, canRepeat: false))
    }

    /// For each stop of each category, the value of the best plan through it.
    func valuesThroughStops() -> [[PlanValue]] {
        let bounds = Bounds(
            isForbidden: self.problem.categories.map { $0.map { _ in false } },
            isUsed: self.problem.categories.map { $0.map { _ in false } },
            mostUsed: 0
        )
        let rests = self.tables(bounds)
        var before: [PlanValue] = [.zero]
        return self.problem.categories.indices.map { category in
            before = self.arrivals(at: category, before)
            let count = self.problem.categories[category].count
            let through = (0..<count).map { stop -> PlanValue in
                var best = PlanValue.impossible
                for index in stride(from: stop, to: before.count, by: count) {
                    best = max(best, (before[index] + rests[category][index]).bounded)
                }
                return best
            }
            // The value of a stop is part of the rest, and of the path before the next category.
            for width in 0..<self.widths[category] {
                for stop in 0..<count {
                    let index = width * count + stop
                    before[index] = (before[index] + self.value(of: stop, in: category, after: width)).bounded
                }
            }
            return through
        }
    }

    /// The values of the best paths to the stops of a category, without the stops themselves.
    private func arrivals(at category: Int, _ before: [PlanValue]) -> [PlanValue] {
        let count = self.problem.categories[category].count
        var arrivals = [PlanValue](repeating: .impossible, count: self.widths[category] * count)
        let starts = category > 0 ? self.problem.categories[category - 1].count : 1
        for index in before.indices where before[index].isPossible {
            let (width, start) = index.quotientAndRemainder(dividingBy: starts)
            for stop in 0..<count {
                let way = start * count + stop
                guard self.ways[category][way].isPossible else { continue }
                let arrival = (width + (self.steps.isEmpty ? 0 : Int(self.steps[category][way]))) * count + stop
                arrivals[arrival] = max(arrivals[arrival], before[index] + self.ways[category][way])
            }
        }
        return arrivals
    }

    // MARK: - Tables

    private func value(of stop: Int, in category: Int, after width: Int) -> PlanValue {
        self.owns[category][width * self.problem.categories[category].count + stop]
    }

    private func tables(_ bounds: Bounds) -> [[PlanValue]] {
        var tables: [[PlanValue]] = self.problem.categories.map { _ in [] }
        for category in self.problem.categories.indices.reversed() {
            let count = self.problem.categories[category].count
            let next = category + 1 < tables.count ? tables[category + 1] : nil
            var table = [PlanValue](
                repeating: .impossible,
                count: (bounds.mostUsed + 1) * self.widths[category] * count
            )
            for width in 0..<self.widths[category] {
                for stop in 0..<count where !bounds.isForbidden[category][stop] {
                    let own = self.value(of: stop, in: category, after: width)
                    guard own.isPossible else { continue }
                    let isUsed = bounds.isUsed[category][stop]
                    for used in (isUsed ? 1 : 0)..<max(isUsed ? 1 : 0, bounds.mostUsed + 1) {
                        let rest = next.map {
                            self.bestRest($0, after: stop, in: category, width, used - (isUsed ? 1 : 0))
                        }
                        table[(used * self.widths[category] + width) * count + stop] = (own + (rest ?? .zero)).bounded
                    }
                }
            }
            tables[category] = table
        }
        return tables
    }

    /// The value of the best rest after a stop.
    private func bestRest(
        _ next: [PlanValue],
        after stop: Int,
        in category: Int,
        _ width: Int,
        _ used: Int
    ) -> PlanValue {
        let count = self.problem.categories[category + 1].count
        let (way, row) = (stop * count, (used * self.widths[category + 1] + width) * count)
        return next.withUnsafeBufferPointer { next in
            self.ways[category + 1].withUnsafeBufferPointer { ways in
                // Compares raw numbers: this loop dominates the running time.
                var best = PlanValue.impossible
                guard self.problem.schedule != nil else {
                    for index in 0..<count {
                        let value = ways[way &+ index] + next[row &+ index]
                        if value.raw > best.raw { best = value }
                    }
                    return best
                }
                return self.steps[category + 1].withUnsafeBufferPointer { steps in
                    for index in 0..<count {
                        let rest = next[row &+ Int(steps[way &+ index]) &* count &+ index]
                        let value = ways[way &+ index] + rest
                        if value.raw > best.raw { best = value }
                    }
                    return best
                }
            }
        }
    }

    // MARK: - Reading the tables

    /// The best plan in the tables, or a good one without repeated places.
    private func read(_ tables: [[PlanValue]], _ bounds: Bounds, canRepeat: Bool) -> Path? {
        var path = Path(stops: [], value: .zero)
        var (start, width, used) = (0, 0, bounds.mostUsed)
        var visited: Set<String> = []
        for category in self.problem.categories.indices {
            let stops = self.problem.categories[category]
            var best: (stop: Int, width: Int, value: PlanValue)?
            for stop in stops.indices where canRepeat || !visited.contains(stops[stop].place) {
                let way = start * stops.count + stop
                let after = width + (self.steps.isEmpty ? 0 : Int(self.steps[category][way]))
                let rest = tables[category][(used * self.widths[category] + after) * stops.count + stop]
                let value = self.ways[category][way] + rest
                if value.isPossible, value > best?.value ?? .impossible { best = (stop, after, value) }
            }
            guard let best else { return nil }
            path.value = path.value + self.ways[category][start * stops.count + best.stop]
            path.value = path.value + self.value(of: best.stop, in: category, after: best.width)
            path.stops.append(best.stop)
            visited.insert(stops[best.stop].place)
            if bounds.isUsed[category][best.stop] { used -= 1 }
            (start, width) = (best.stop, best.width)
        }
        return path
    }
}
