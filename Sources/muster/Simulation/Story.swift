// The story of one group repeats, each time with another café and another straggler:
//
//   apart      all stroll about near home
//   arriving   all but the straggler walk to the café, one after another
//   waiting    they sit there; the straggler stays at home until Muster sends an alert
//   following  after the alert the straggler comes too
//   together   all are there for a while, then all go home: apart
//
// A story is pure: time passes by `advance`, and its only other input is `notified`.

import MusterCore
import Scenario

/// The movements of a group's people.
struct Story {
    /// The chapters of the story.
    enum Chapter: String, Sendable {
        case apart
        case arriving
        case waiting
        case following
        case together
    }

    /// The people, by their index in the group.
    private(set) var walkers: [Walker]
    /// The current chapter.
    private(set) var chapter = Chapter.apart
    /// The straggler of the current round.
    private(set) var straggler = 0
    /// The meeting place of the current round.
    private(set) var cafe: Coordinate

    private let centre: Coordinate
    private let homes: [Coordinate]
    /// The meeting places to choose from; nil for random ones around `centre`.
    private let cafes: [Coordinate]?
    private var remaining: Double
    private var departures: [Double]
    private var generator: SeededGenerator

    /// Creates a story of `people` around `centre`, or at given homes and cafés.
    ///
    /// Different seeds begin with different homes.
    init(people: Int, around centre: Coordinate, spots: SimulationSpots? = nil, seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        self.centre = centre
        self.cafes = spots?.cafes
        self.homes =
            if let homes = spots?.homes {
                (0..<people).map { homes[(Int(seed % UInt64(homes.count)) * people + $0) % homes.count] }
            } else {
                (0..<people).map { _ in Self.somewhere(around: centre, 350...900, &generator) }
            }
        self.walkers = self.homes.map { Walker(at: $0, pace: .random(in: 1.2...1.6, using: &generator)) }
        self.cafe = centre
        self.departures = Array(repeating: 0, count: people)
        self.remaining = 0
        self.generator = generator
        self.beginApart()
    }

    /// Records that a person has read the alert.
    mutating func notified(_ person: Int) {
        guard person == self.straggler, self.chapter == .waiting || self.chapter == .arriving else { return }
        self.chapter = .following
        self.walkers[person].goal = self.seat()
    }

    /// Advances the story by `seconds`.
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
            // Without an alert within the hour the straggler does not come: the others go home.
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
        self.cafe =
            self.cafes?.randomElement(using: &self.generator)
            ?? Self.somewhere(around: self.centre, 0...150, &self.generator)
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

    /// A position at the café.
    private mutating func seat() -> Coordinate { Self.somewhere(around: self.cafe, 1...8, &self.generator) }

    private static func somewhere(
        around point: Coordinate,
        _ metres: ClosedRange<Double>,
        _ generator: inout SeededGenerator
    ) -> Coordinate {
        let distance = Double.random(in: metres, using: &generator)
        let turn = Double.random(in: 0..<1, using: &generator)
        // Points on a diamond need no trigonometry, unlike those on a circle, and look equally random.
        let east = turn < 0.5 ? 4 * turn - 1 : 3 - 4 * turn
        let north = (1 - abs(east)) * (turn < 0.5 ? 1 : -1)
        let length = (east * east + north * north).squareRoot()
        return point.moved(east: east / length * distance, north: north / length * distance)
    }
}
