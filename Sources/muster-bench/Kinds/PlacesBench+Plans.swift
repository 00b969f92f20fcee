import EventLoop
import MusterCore

extension PlacesBench {
    /// The number of categories of a plan, and of places per category.
    private static let size = (categories: 5, places: 200)
    /// The number of plans per request.
    private static let count = 5
    /// The number of random worlds, one after the other.
    private static let worlds = 20

    /// Times planning over places in a town, with the computation of the distances alone as the baseline.
    static func measurePlans() throws -> [BenchFigure] {
        let clock = MonotonicClock.system
        var random = SystemRandomNumberGenerator()
        var planning: [Double] = []
        var distances: [Double] = []
        for _ in 0..<Self.worlds {
            let origin = Coordinate(latitude: 60.17, longitude: 24.94)
            let stops = (0..<Self.size.categories).map { category in
                (0..<Self.size.places).map { number in
                    PlanStop(
                        place: "\(category)-\(number)",
                        coordinate: Coordinate(
                            latitude: origin.latitude + Double.random(in: -0.013...0.013, using: &random),
                            longitude: origin.longitude + Double.random(in: -0.027...0.027, using: &random)
                        ),
                        fame: Double.random(in: 0.2...0.9, using: &random),
                        hours: nil
                    )
                }
            }
            let start = clock.nanoseconds
            let plans = Planner(PlanProblem(stops, from: origin)).plans(Self.count)
            let middle = clock.nanoseconds
            let sum = Self.sumOfDistances(between: stops)
            let end = clock.nanoseconds
            guard plans.count == Self.count, sum > 0 else {
                throw BenchError("\(plans.count) plans instead of \(Self.count)")
            }
            planning.append(Double(middle - start) / 1e6)
            distances.append(Double(end - middle) / 1e6)
        }
        return [
            BenchFigure("plans_ms", "five plans over five categories of 200 places, median", planning.median, "ms"),
            BenchFigure("distances_ms", "their 160,000 distances only, median", distances.median, "ms"),
            BenchFigure("plans_ratio", "plans to distances", planning.median / distances.median, "×"),
        ]
    }

    /// The sum of all distances from the places of a category to those of the next, in metres.
    private static func sumOfDistances(between stops: [[PlanStop]]) -> Double {
        zip(stops, stops.dropFirst()).reduce(0) { sum, categories in
            categories.0.reduce(sum) { sum, start in
                categories.1.reduce(sum) { $0 + start.coordinate.distance(to: $1.coordinate) }
            }
        }
    }
}
