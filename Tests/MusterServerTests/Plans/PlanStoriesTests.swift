import EventLoop
import Foundation
import MusterTestSupport
import Testing

@testable import MusterCore
@testable import MusterServer

@Suite("Plans as good as there are", .blocking, .enabled(if: RealRouter.isThere))
struct PlanStoriesTests {
    /// A user's starting point and wishes.
    private struct Story {
        let origin: Coordinate
        let categories: [PlaceCategory]

        static func all() throws -> [Story] {
            let file = MusterProcess.checkout.appending(path: "Tests/Fixtures/plan-stories.tsv")
            let rows = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").dropFirst()
            return try rows.map { row in
                let fields = row.split(separator: "\t")
                let categories = fields[2].split(separator: ",").compactMap { PlaceCategory(rawValue: String($0)) }
                let latitude = try #require(Double(fields[0]))
                let longitude = try #require(Double(fields[1]))
                return Story(origin: Coordinate(latitude: latitude, longitude: longitude), categories: categories)
            }
        }
    }

    /// The scores of one story's plans, computed with the router's times.
    private struct Scores {
        var best = 0.0
        var routed = 0.0
        var estimated = 0.0

        static func += (left: inout Self, right: Self) {
            left.best += right.best
            left.routed += right.routed
            left.estimated += right.estimated
        }
    }

    @Test(
        "the first plan is worth 99 % of the best that all ways between all places allow, and more than one of estimates"
    )
    func stories() async throws {
        let stories = try Story.all()
        #expect(stories.count == 16)
        let osrm = try RealRouter()
        try await ProviderFixture.with { fixture in
            var sum = Scores()
            for story in stories { sum += try await Self.scores(of: story, fixture, osrm) }
            print("scores: routed \(sum.routed / sum.best), estimated \(sum.estimated / sum.best) of the best")
            #expect(sum.best > 0)
            #expect(sum.routed >= 0.99 * sum.best && sum.routed <= 1.000_001 * sum.best)
            #expect(sum.estimated < sum.routed)
        }
    }

    private static func scores(of story: Story, _ fixture: ProviderFixture, _ osrm: RealRouter) async throws -> Scores {
        let search = PlanSearch(
            categories: story.categories,
            center: story.origin,
            radius: 1500,
            deadline: fixture.deadline
        )
        let findings = await search.findings(of: fixture.providers.categories)
        #expect(!findings.hasFailures)
        let day = PlanDay(
            origin: story.origin,
            start: Timestamp(milliseconds: 1_780_000_000_000),
            isTimed: false,
            startMinute: 12 * 60,
            stay: 60,
            pace: .balanced
        )
        let candidates = PlanCandidates(findings, maxPrice: nil, day: day)
        let slots = try story.categories.map { try #require(candidates.places[$0]) }
        let draft = PlanDraft(slots: slots, day: day, count: 1)

        let question = draft.question()
        let table = try #require(await osrm.router.table(among: question.points, deadline: osrm.deadline))
        let routed = try #require(draft.routed(question, table).first)
        let estimated = try #require(draft.estimated().first)

        let world = try World(slots, from: story.origin, day.pace, osrm)
        return try Scores(
            best: world.best(),
            routed: world.score(of: routed.stops.map(\.place.id)),
            estimated: world.score(of: estimated.stops.map(\.place.id))
        )
    }

    /// All places of a story with the walking times between them.
    private struct World {
        let problem: PlanProblem

        init(_ slots: [[PlannedPlace]], from origin: Coordinate, _ pace: PlanPace, _ osrm: RealRouter) throws {
            let stops = slots.map { $0.map(\.stop).sorted { $0.place < $1.place } }
            var (points, numbers) = ([origin], [String: Int]())
            for stop in stops.joined() where numbers[stop.place] == nil {
                numbers[stop.place] = points.count
                points.append(stop.coordinate)
            }
            let seconds = try osrm.seconds(among: points)
            let ways = stops.indices.map { slot -> [Double] in
                let starts = slot > 0 ? stops[slot - 1].map { numbers[$0.place] ?? 0 } : [0]
                return starts.flatMap { start in
                    stops[slot].map { seconds[start][numbers[$0.place] ?? 0] ?? .infinity }
                }
            }
            self.problem = PlanProblem(ordered: stops, walks: ways, pace: pace, schedule: nil)
        }

        func best() throws -> Double { try #require(Planner(self.problem).plans(1).first).score }

        /// The score of a sequence of places, computed directly.
        func score(of places: [String]) throws -> Double {
            var (score, start) = (0.0, 0)
            for (slot, place) in places.enumerated() {
                let stops = self.problem.categories[slot]
                let end = try #require(stops.firstIndex { $0.place == place })
                let walk = self.problem.walks[slot][start * stops.count + end]
                score += stops[end].fame - walk / 60 / self.problem.pace.minutesPerFame
                start = end
            }
            return score
        }
    }
}
