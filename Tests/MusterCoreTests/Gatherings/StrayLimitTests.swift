import Testing

@testable import MusterCore

@Suite("How far a gathering may be away")
struct StrayLimitTests {
    @Test("nobody crosses the limit who goes as far as it allows, whichever way", arguments: [100.0, 500, 2000])
    func distance(radius: Double) {
        var random = SeededGenerator(seed: UInt64(radius))
        let settings = GroupSettings(radius: radius)
        var crossings = 0
        for _ in 0..<3000 {
            let place = Coordinate(
                latitude: .random(in: -69...69, using: &random),
                longitude: .random(in: -180...180, using: &random)
            )
            let point = place.moved(
                settings.awayDistance / 2.0.squareRoot() * .random(in: 0.9...1.1, using: &random),
                bearing: .random(in: 0..<360, using: &random)
            )
            let limit = StrayLimit(around: place, settings: settings)
            let isExceeded = limit.isExceeded(at: CoarsePoint(point))
            let room = limit.distance(from: CoarsePoint(point))
            for bearing in stride(from: 0.0, to: 360, by: 15) {
                let other = point.moved(room, bearing: bearing)
                #expect(limit.isExceeded(at: CoarsePoint(other)) == isExceeded, "\(place), \(point), \(bearing)")
                let beyond = point.moved(1.05 * room + 20, bearing: bearing)
                if limit.isExceeded(at: CoarsePoint(beyond)) != isExceeded { crossings += 1 }
            }
        }
        #expect(crossings > 1000, "the limit was never near")
    }
}
