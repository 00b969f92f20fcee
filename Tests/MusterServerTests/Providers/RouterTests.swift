import Foundation
import MusterTestSupport
import Testing

@testable import MusterCore
@testable import MusterServer

@Suite("A real OSRM", .blocking, .enabled(if: RealRouter.isThere))
struct RouterTests {
    @Test("tells of a hundred points at once, and that no way leads to the sea")
    func table() async throws {
        let osrm = try RealRouter()
        var points = (0..<99).map { number in
            Coordinate(
                latitude: 60.163 + Double(number / 10) * 0.0007,
                longitude: 24.935 + Double(number % 10) * 0.0013
            )
        }
        points.append(Coordinate(latitude: 59.8, longitude: 24.9))
        let table = try #require(await osrm.router.table(among: points, deadline: osrm.deadline))
        for start in 0..<99 {
            #expect(table[start, 99] == nil && table[99, start] == nil)
            for end in 0..<99 where start != end {
                let walk = try #require(table[start, end])
                // No route is shorter than the straight line between its ends, which lie near the points.
                let straight = points[start].distance(to: points[end])
                #expect(walk.metres > straight - 200 && walk.metres < 3 * straight + 500)
                #expect((0.8...2.5).contains((walk.metres + 20) / (walk.seconds + 20)))
            }
        }
    }

    @Test("draws the ways of a plan along the streets")
    func legs() async throws {
        let osrm = try RealRouter()
        let points = [(60.166_12, 24.941_34), (60.170_5, 24.941), (60.169_45, 24.935_9)]
            .map { Coordinate(latitude: $0.0, longitude: $0.1) }
        let legs = try #require(await osrm.router.legs(through: points, deadline: osrm.deadline))
        #expect(legs.count == 2)
        for (index, leg) in legs.enumerated() {
            let leg = try #require(leg)
            let line = try #require(Polyline.points(leg.geometry))
            #expect(line.count > 2)
            #expect(line.first?.isWithin(120, of: points[index]) == true)
            #expect(line.last?.isWithin(60, of: points[index + 1]) == true)
            let length = zip(line, line.dropFirst()).reduce(0) { $0 + $1.0.distance(to: $1.1) }
            #expect(abs(length - leg.metres) < 0.05 * leg.metres + 20)
        }
        let sea = try #require(
            await osrm.router.legs(
                through: [points[0], Coordinate(latitude: 59.8, longitude: 24.9)],
                deadline: osrm.deadline
            )
        )
        #expect(sea == [nil])
    }
}
