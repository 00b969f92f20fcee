// The story of one group, again and again, each time at another café and with another one who stays away:
//
//   apart      everybody strolls about near home
//   arriving   all but one walk to the café, one after the other
//   waiting    they sit there; the one at home does not know, until Muster tells
//   following  told, that one comes too
//   together   everybody is there for a while, then all go home: apart
//
// A story is pure: time passes by `advance`, and the only thing that it hears from outside is `told`.

import MusterCore
import Scenario

/// Where each of a group of people walks, and when.
struct Story {
    /// How far the story has come.
    enum Chapter: String, Sendable {
        case apart
        case arriving
        case waiting
        case following
        case together
    }

    /// The people, by their place in the group.
    private(set) var walkers: [Walker]
    /// How far the story has come.
    private(set) var chapter = Chapter.apart
    /// Who stays away this time.
    private(set) var straggler = 0
    /// Where they meet this time.
    private(set) var cafe: Coordinate

    private let centre: Coordinate
    private let homes: [Coordinate]
    private var remaining: Double
    private var departures: [Double]
    private var generator: SeededGenerator

    /// Creates a story of `people` around `centre`.
    init(people: Int, around centre: Coordinate, seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        self.centre = centre
        self.homes = (0..<people).map { _ in Self.somewhere(around: centre, 350...900, &generator) }
        self.walkers = self.homes.map { Walker(at: $0, pace: .random(in: 1.2...1.6, using: &generator)) }
        self.cafe = centre
        self.departures = Array(repeating: 0, count: people)
        self.remaining = 0
        self.generator = generator
        self.beginApart()
    }

    /// The one who stayed away has been told.
    mutating func told(_ person: Int) {
        guard person == self.straggler, self.chapter == .waiting || self.chapter == .arriving else { return }
        self.chapter = .following
        self.walkers[person].goal = self.seat()
    }

    /// Lets `seconds` pass.
    mutating func advance(seconds: Double) {
        self.remaining -= seconds
        for person in self.walkers.indices {
            if self.chapter == .arriving { self.maybeDepart(person, after: seconds) }
            if self.chapter == .apart, self.walkers[person].hasArrived { self.stroll(person) }
            self.walkers[person].step(seconds: seconds, using: &self.generator)
        }
        self.turnPage()
    }

    private mutating func turnPage() {
        switch self.chapter {
        case .apart:
            if self.remaining <= 0 { self.beginArriving() }
        case .arriving:
            if self.others.allSatisfy({ self.walkers[$0].position.metres(to: self.cafe) < 20 }) {
                self.chapter = .waiting
                self.remaining = 3600
            }
        case .waiting:
            // Whoever was not told within the hour is not coming: the others go home.
            if self.remaining <= 0 { self.beginApart() }
        case .following:
            if self.walkers[self.straggler].hasArrived {
                self.chapter = .together
                self.remaining = 600
            }
        case .together:
            if self.remaining <= 0 { self.beginApart() }
        }
    }

    private var others: [Int] { self.walkers.indices.filter { $0 != self.straggler } }

    private mutating func beginApart() {
        self.chapter = .apart
        self.remaining = 240
        for person in self.walkers.indices { self.walkers[person].goal = self.homes[person] }
    }

    private mutating func beginArriving() {
        self.chapter = .arriving
        self.cafe = Self.somewhere(around: self.centre, 0...150, &self.generator)
        self.straggler = Int.random(in: self.walkers.indices, using: &self.generator)
        self.walkers[self.straggler].goal = self.homes[self.straggler]
        self.departures = self.walkers.map { _ in Double.random(in: 0...180, using: &self.generator) }
    }

    private mutating func maybeDepart(_ person: Int, after seconds: Double) {
        guard person != self.straggler, self.departures[person] > 0 else { return }
        self.departures[person] -= seconds
        if self.departures[person] <= 0 { self.walkers[person].goal = self.seat() }
    }

    private mutating func stroll(_ person: Int) {
        self.walkers[person].goal = Self.somewhere(around: self.homes[person], 20...120, &self.generator)
    }

    /// A chair of the café.
    private mutating func seat() -> Coordinate { Self.somewhere(around: self.cafe, 1...8, &self.generator) }

    private static func somewhere(
        around point: Coordinate,
        _ metres: ClosedRange<Double>,
        _ generator: inout SeededGenerator
    ) -> Coordinate {
        let distance = Double.random(in: metres, using: &generator)
        let turn = Double.random(in: 0..<1, using: &generator)
        // A diamond instead of a circle needs no trigonometry and looks as random.
        let east = turn < 0.5 ? 4 * turn - 1 : 3 - 4 * turn
        let north = (1 - abs(east)) * (turn < 0.5 ? 1 : -1)
        let length = (east * east + north * north).squareRoot()
        return point.moved(east: east / length * distance, north: north / length * distance)
    }
}
