// Dynamic programming over the categories, from the last to the first: for each stop, what the best rest of a plan from there
// is worth. What else decides about the rest is part of the state: how many steps of walking lie behind (where there is a
// schedule), and how many more stops of earlier plans there may be. Reading the tables from the first category on, and taking
// the first stop of those that are as good, gives of all best plans the one whose places come first.
//
// A table's entry for stop k, after w steps of walking, with u used stops left, is at (u · widths + w) · stops + k.

/// Finds the best plan of a problem, where one place may be visited for two categories.
struct PlanSolver {
    /// Which stops may not be in a plan, and which of them were in earlier ones.
    struct Bounds {
        /// By category and stop.
        var isForbidden: [[Bool]]
        /// By category and stop.
        var isUsed: [[Bool]]
        /// How many used stops there may be.
        var mostUsed: Int
    }

    /// A plan: the number of its stop in each category, and what it is worth.
    struct Path: Equatable {
        var stops: [Int]
        var value: PlanValue
    }

    /// What coming to a place costs of which nobody knows when it is open.
    private static let unknownHours = 0.05

    private let problem: PlanProblem
    /// What the ways to a category are worth, as in the problem's.
    private let ways: [[PlanValue]]
    /// Their steps, where there is a schedule.
    private let steps: [[UInt8]]
    /// How many numbers of steps may lie behind when one is at a category.
    private let widths: [Int]
    /// What the stops of each category themselves are worth, row by row: after each number of steps.
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

    /// What a stop itself is worth, after so many steps of walking.
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

    /// What the ways to a category are worth; there is none from a place to itself.
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

    /// How many ways are looked at to find one plan, for each number of used stops.
    var effort: Int {
        let counts = self.problem.categories.map(\.count)
        return self.widths.indices.dropLast().map { self.widths[$0] * counts[$0] * counts[$0 + 1] }.reduce(1, +)
    }

    // MARK: - The best

    /// The best plan within bounds; nil when there is none.
    func best(_ bounds: Bounds) -> Path? { self.read(self.tables(bounds), bounds, canRepeat: true) }

    /// The best plan within bounds, and a good one that visits no place twice; nil when there is none, or none is found.
    func bestAndGood(_ bounds: Bounds) -> (best: Path?, withoutRepeats: Path?) {
        let tables = self.tables(bounds)
        return (self.read(tables, bounds, canRepeat: true), self.read(tables, bounds, canRepeat: false))
    }

    /// For each stop of each category, what the best plan through it is worth.
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
            // What the stops themselves are worth belongs to the rest, and to what is before the next category.
            for width in 0..<self.widths[category] {
                for stop in 0..<count {
                    let index = width * count + stop
                    before[index] = (before[index] + self.value(of: stop, in: category, after: width)).bounded
                }
            }
            return through
        }
    }

    /// What the best ways to the stops of a category are worth, without the stops themselves.
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

    /// What the best rest behind a stop is worth.
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
                // Compared as numbers: this is where all the time goes.
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

    // MARK: - Reading

    /// The best plan that the tables hold, or a good one in which no place comes twice.
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
