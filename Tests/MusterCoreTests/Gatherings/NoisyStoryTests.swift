import Testing

@testable import MusterCore

/// Stories with many kinds of noise, of which some may fail and most must not.
@Suite("Stories with noise")
struct NoisyStoryTests {
    /// An event of four members, with the position of each at every second.
    enum Story: CaseIterable, Sendable {
        /// All four leave through a door. Three drive off, and one walks the other way.
        case doorOpposite
        /// All four leave through a door. Three drive off, and one walks across.
        case doorAcross
        /// Three drive off, and one stays.
        case leftByCar
        /// Three walk off, and one stays.
        case leftOnFoot
        /// Three drive one home, and stop at the door for 50 s.
        case droppedHome
        /// Three pass a member who sits on a bench.
        case passing
        /// All drive, and wait at a red light.
        case redLight
        /// All leave in two cars, the second a little later.
        case convoy

        /// The position of a member, in metres east and north of the café.
        func place(of user: Int64, at second: Double, _ pace: Pace) -> (east: Double, north: Double) {
            let isFourth = user == 4
            let ride = max(0, second - pace.begin) * pace.drive
            let walk = max(0, second - pace.begin - pace.hesitation) * pace.walk
            switch self {
            case .doorOpposite: return isFourth ? (-min(walk, 1500), 0) : (min(ride, 6000), 0)
            case .doorAcross: return isFourth ? (0, min(walk, 1500)) : (min(ride, 6000), 0)
            case .leftByCar: return isFourth ? (0, 0) : (min(ride, 6000), 0)
            case .leftOnFoot: return isFourth ? (0, 0) : (min(walk, 1500), 0)
            case .droppedHome:
                let stop = 3000.0
                let there = pace.begin + stop / pace.drive
                if second < there { return (ride, 0) }
                return isFourth || second < there + 50
                    ? (stop, 0) : (stop + min((second - there - 50) * pace.drive, 4000), 0)
            case .passing: return isFourth ? (2000, 20) : (min(ride, 6000), 0)
            case .redLight:
                let pause = min(max(0, second - pace.begin - 2000 / pace.drive), 40)
                return (min(max(0, second - pace.begin - pause) * pace.drive, 6000), 0)
            case .convoy:
                let late = user >= 3 ? 50.0 : 0
                return (min(max(0, second - pace.begin - late) * pace.drive, 6000), 0)
            }
        }
    }

    /// The pace of the story.
    struct Pace {
        let begin: Double
        let hesitation: Double
        let drive: Double
        let walk: Double
    }

    /// The notifications of a story, by the seed of its noise.
    static func notified(_ story: Story, seed: UInt64) -> [String] {
        var random = SeededGenerator(seed: seed &* 7919)
        var scene = GatheringScene(1...4)
        let pace = Pace(
            begin: .random(in: 900..<1500, using: &random),
            hesitation: .random(in: 0..<40, using: &random),
            drive: .random(in: 6..<14, using: &random),
            walk: .random(in: 1.1..<1.6, using: &random)
        )
        for user: Int64 in 1...4 {
            let deviation = Double.random(in: 5...40, using: &random)
            let interval = Double.random(in: 5...120, using: &random)
            for second in stride(from: Double.random(in: 0..<interval, using: &random), to: 4200, by: interval) {
                let (east, north) = story.place(of: user, at: second, pace)
                let axis = deviation / 2.0.squareRoot()
                let place = GatheringScene.cafe.moved(east + random.normal(axis), bearing: 90)
                    .moved(north + random.normal(axis), bearing: 0)
                scene.report(user, at: second, place, accuracy: Float(deviation))
            }
        }
        return scene.play(until: 4800).notified
    }

    /// The number of noise seeds, out of 30, for which the fourth is notified that the others left.
    private static func departures(of story: Story) -> Int {
        (1...30).count { Self.notified(story, seed: UInt64($0)).contains("4 departed") }
    }

    @Test("of all who part at a door nearly nobody is told that they were left behind")
    func door() {
        #expect(Self.departures(of: .doorOpposite) + Self.departures(of: .doorAcross) <= 2)
    }

    @Test("who is left behind is told, whatever the noise", arguments: [(Story.leftByCar, 28), (.leftOnFoot, 30)])
    func left(story: Story, least: Int) { #expect(Self.departures(of: story) >= least) }

    @Test(
        "where nobody is left behind nobody is told so",
        arguments: [Story.droppedHome, .passing, .redLight, .convoy]
    )
    func nobodyLeft(story: Story) { #expect(Self.departures(of: story) == 0) }
}
