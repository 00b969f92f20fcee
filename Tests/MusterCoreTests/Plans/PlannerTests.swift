import Testing

@testable import MusterCore

@Suite struct PlannerTests {
    private static let helsinki = Coordinate(latitude: 60.17, longitude: 24.94)

    /// A small problem in which some places serve several categories.
    private struct SmallWorld {
        var categories: [[PlanStop]]
        let origin: Coordinate?
        let pace: PlanPace
        let schedule: PlanSchedule?

        init(_ random: inout SeededGenerator) {
            let hours = ["24/7", "Mo-Su 09:00-11:00", "Mo-Su 12:00-14:30", "Mo-Su 10:00-20:00"]
            let places = (0..<Int.random(in: 4...9, using: &random)).map { number in
                PlanStop(
                    place: "p\(number)",
                    coordinate: Coordinate(
                        latitude: 60.17 + .random(in: -0.02...0.02, using: &random),
                        longitude: 24.94 + .random(in: -0.04...0.04, using: &random)
                    ),
                    fame: (Double.random(in: 0...1, using: &random) * 10).rounded() / 10,
                    hours: hours.randomElement(using: &random).flatMap {
                        Bool.random(using: &random) ? OpeningHours($0) : nil
                    }
                )
            }
            self.categories = (0..<Int.random(in: 1...4, using: &random)).map { _ in
                Array(places.shuffled(using: &random).prefix(Int.random(in: 1...4, using: &random)))
            }
            self.origin = Int.random(in: 0..<5, using: &random) == 0 ? nil : PlannerTests.helsinki
            self.pace = PlanPace.allCases.randomElement(using: &random) ?? .balanced
            self.schedule =
                Bool.random(using: &random)
                ? PlanSchedule(
                    begin: .random(in: 8 * 60..<16 * 60, using: &random),
                    stay: [20, 45, 60].randomElement(using: &random) ?? 60,
                    duration: Bool.random(using: &random) ? .random(in: 60...360, using: &random) : nil
                ) : nil
        }

        var problem: PlanProblem {
            PlanProblem(self.categories, from: self.origin, pace: self.pace, schedule: self.schedule)
        }
    }

    /// The best plan by exhaustive search.
    ///
    /// Each stop number is an index into its category, in the order of places.
    private static func bestByTrying(
        _ problem: PlanProblem,
        used: Set<String>,
        mostUsed: Int
    ) -> (score: Double, stops: [Int])? {
        var best: (score: Double, stops: [Int])?
        func extend(_ stops: [Int], _ score: Double, _ steps: Int) {
            let category = stops.count
            guard category < problem.categories.count else {
                let places = stops.enumerated().map { problem.categories[$0][$1].place }
                guard Set(places).count == places.count, places.count(where: used.contains) <= mostUsed else { return }
                if score > best?.score ?? -.infinity { best = (score, stops) }
                return
            }
            let count = problem.categories[category].count
            for stop in 0..<count {
                let walk = problem.walks[category][(stops.last ?? 0) * count + stop]
                guard walk <= PlanProblem.longestWalk else { continue }
                let place = problem.categories[category][stop]
                var gain = place.fame - walk / 60 / problem.pace.minutesPerFame
                var after = steps
                if let schedule = problem.schedule {
                    let arrival = after + Int((walk / 300).rounded(.up))
                    switch schedule.outcomeOfVisit(place.hours, after: arrival) {
                    case .impossible: continue
                    case .unknown: gain -= 0.05
                    case .open: break
                    }
                    after = arrival + schedule.staySteps
                }
                extend(stops + [stop], score + gain, after)
            }
        }
        extend([], 0, 0)
        return best
    }

    @Test(
        "finds what trying all plans finds: with places of earlier plans, repeats and closed doors",
        arguments: 0..<200
    )
    func bruteForce(_ seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        let problem = SmallWorld(&random).problem
        let plans = Planner(problem).plans(4)
        var used: Set<String> = []
        for number in 0..<4 {
            let mostUsed = number == 0 ? 0 : problem.categories.count / 2
            let best = Self.bestByTrying(problem, used: used, mostUsed: mostUsed)
            guard let best, number < plans.count else {
                #expect(best == nil && number >= plans.count, "plan \(number)")
                return
            }
            #expect(abs(plans[number].score - best.score) < 1e-6, "plan \(number)")
            let places = plans[number].stops.enumerated().map { problem.categories[$0][$1].place }
            #expect(Set(places).count == places.count)
            #expect(places.count(where: used.contains) <= mostUsed)
            used.formUnion(places)
        }
    }

    @Test("says the same whatever the order in which places come", arguments: 0..<50)
    func order(_ seed: Int) {
        var random = SeededGenerator(seed: UInt64(1000 + seed))
        var world = SmallWorld(&random)
        let plans = Planner(world.problem).plans(3)
        for category in world.categories.indices { world.categories[category].shuffle(using: &random) }
        #expect(Planner(world.problem).plans(3) == plans)
    }

    @Test("looks for the best stops where the best plans lead", arguments: 0..<100)
    func bestStops(_ seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(2000 + seed))
        let problem = SmallWorld(&random).problem
        let planner = Planner(problem)
        let stops = planner.bestStops(2)
        guard let plan = planner.plans(1).first else { return }
        // A plan without repeats contains one of the two best stops of each category, unless others are equal.
        let values = PlanSolver(problem).valuesThroughStops()
        for (category, stop) in plan.stops.enumerated() {
            let least = try #require(stops[category].map { values[category][$0] }.min())
            #expect(stops[category].contains(stop) || values[category][stop] <= least)
        }
    }

    @Test("walks no way of more than 45 minutes, and has no plan where there is no other")
    func tooFar() {
        let far = PlanStop(place: "far", coordinate: Self.helsinki.moved(3000, bearing: 0), fame: 1)
        let near = PlanStop(place: "near", coordinate: Self.helsinki.moved(500, bearing: 0), fame: 0.1)
        #expect(Planner(PlanProblem([[far]], from: Self.helsinki)).plans(1).isEmpty)
        #expect(Planner(PlanProblem([[far, near]], from: Self.helsinki)).plans(5).map(\.stops) == [[1]])
        #expect(Planner(PlanProblem([[far]], from: nil)).plans(1).map(\.score) == [1])
    }

    @Test("a category without places has no plan")
    func empty() {
        #expect(Planner(PlanProblem([], from: nil)).plans(3).isEmpty)
        #expect(Planner(PlanProblem([[]], from: nil)).plans(3).isEmpty)
    }

    @Test("six times the same category ends soon, with six places")
    func alike() throws {
        var random = SeededGenerator(seed: 3)
        let stops = (0..<60).map { number in
            PlanStop(
                place: "p\(100 + number)",
                coordinate: Self.helsinki.moved(
                    .random(in: 0...1100, using: &random),
                    bearing: .random(in: 0..<360, using: &random)
                ),
                fame: .random(in: 0...1, using: &random)
            )
        }
        let problem = PlanProblem(.init(repeating: stops, count: 6), from: Self.helsinki)
        let plans = Planner(problem).plans(2)
        #expect(plans.count == 2)
        for plan in plans { #expect(Set(plan.stops).count == 6) }
    }

    @Test("ten plans of six times the same 200 places at a chosen time keep nobody waiting for a minute")
    func alikeAtATime() {
        var random = SeededGenerator(seed: 4)
        let stops = (0..<200).map { number in
            PlanStop(
                place: "p\(100 + number)",
                coordinate: Self.helsinki.moved(
                    .random(in: 0...1100, using: &random),
                    bearing: .random(in: 0..<360, using: &random)
                ),
                fame: (Double.random(in: 0...1, using: &random) * 8).rounded() / 10,
                hours: OpeningHours("Mo-Su 10:00-18:00")
            )
        }
        let problem = PlanProblem(
            .init(repeating: stops, count: 6),
            from: Self.helsinki,
            pace: .famous,
            schedule: PlanSchedule(begin: 11 * 60, stay: 30)
        )
        var plans: [Planner.Plan] = []
        let took = ContinuousClock().measure { plans = Planner(problem).plans(10) }
        // It takes a second or two; a search of all combinations would take minutes.
        #expect(took < .seconds(60))
        #expect(plans.count == 10)
        for plan in plans { #expect(Set(plan.stops).count == 6) }
    }

    @Test("keeps the 200 stops that are best for their distance")
    func many() {
        let stops = (0..<300).map { number in
            PlanStop(
                place: "p\(1000 + number)",
                coordinate: Self.helsinki.moved(Double(number), bearing: 0),
                fame: number == 299 ? 1 : 0.5
            )
        }
        let problem = PlanProblem([stops], from: Self.helsinki)
        #expect(problem.categories[0].map(\.place) == (0..<199).map { "p\(1000 + $0)" } + ["p1299"])
    }
}
