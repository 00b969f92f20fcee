import MusterCore
import MusterWire

// The ground truth comes only from the plot. A person is missing from the time when all others are at the place until
// the person arrives. A person who is missing for longer than the dwell must be alerted once, at the end of the dwell.
// A person is left behind from the time when the others are 200 m away. The plot avoids ambiguous cases: each person
// arrives either within 100 s of the previous one or more than five and a half minutes later, and a person who leaves
// by choice leaves alone.
//
// The deadline of an alert follows from the plot too. But the server cannot know what a phone does not report: a phone
// at rest reports every ten minutes, and a report may come from a cell tower. So where an alert depends on the person's
// own fix, the deadline is at least shortly after the first sound fix (`Wait`). Whether an alert is due does not depend
// on phones.

/// The plot of one day of a group: the true positions of its members, technical problems, and the alerts that are due.
struct ScenarioDay {
    /// An alert that is due, with times in seconds of the day.
    struct Left {
        let person: Int
        let variant: LeftWithoutYou.Variant
        /// The earliest time of the alert.
        let from: Double
        /// The latest useful time of the alert.
        let until: Double
        /// The fix of the person's own phone on which the alert depends; nil for none.
        let wait: Wait?
    }

    /// The first own sound fix from a second of the day on, and the time that the alert may take after it.
    struct Wait {
        let from: Double
        let timeout: Double
    }

    /// The maximum time that the plot allows for an alert, in seconds.
    static let tolerance = 420.0
    /// The maximum silence of a phone at rest, in seconds: a person who is left behind must first report the position
    /// again.
    static let silence = 660.0
    /// The time for the others to report their departure twice each, and for the rule to accept it, in seconds.
    static let parting = 120.0
    /// The maximum time for the transmission and ordering of a fix, in seconds.
    static let hearing = 10.0

    let story: ScenarioStory
    var journeys: [Journey]
    var troubles: [ScenarioPhone.Troubles]
    private(set) var left: [Left] = []
    /// The person who pauses sharing, and the time of the pause.
    private(set) var pauses: (person: Int, from: Double)?

    let people: Int
    let town: ScenarioPlaces
    let dwell: Double
    private let radius: Double

    /// Creates the plot of a day.
    init(_ story: ScenarioStory, in town: ScenarioPlaces, dwell: Double, radius: Double, random: inout SeededGenerator)
    {
        self.story = story
        self.town = town
        self.people = town.homes.count
        self.dwell = dwell
        self.radius = radius
        self.journeys = town.homes.map(Journey.init(home:))
        self.troubles = Array(repeating: ScenarioPhone.Troubles(), count: self.people)
        self.work(random: &random)
        self.evening(random: &random)
        let closing = max(self.everybodyHere + 1_800, 76_000)
        for person in 0..<self.people where self.journeys[person].place != town.homes[person] {
            // One after another, so that no one is left behind by others who leave together.
            let gap = min(660, 6_600 / Double(self.people))
            self.journeys[person].go(to: town.homes[person], at: closing + Double(person) * gap, speed: 8)
        }
    }

    // MARK: The day

    private mutating func work(random: inout SeededGenerator) {
        let riders = self.story == .bus ? self.people - 1 : 0
        let bus = 27_000.0
        for person in 0..<self.people {
            if person < riders {
                // All riders are at the stop within 80 s, and get off at the same place, from which each goes on alone.
                let arrival = bus - Double.random(in: 10...90, using: &random)
                self.journeys[person].arrive(at: self.town.stop, by: arrival, speed: 1.4)
                let end = self.journeys[person].go(to: self.town.terminus, at: bus, speed: 9)
                self.journeys[person].go(to: self.town.works[person], at: end + Double(person) * 400 + 60, speed: 4.5)
            } else {
                let begin = 28_000 + Double.random(in: 0...5_400, using: &random)
                self.journeys[person].go(to: self.town.works[person], at: begin, speed: 8)
            }
            if Double.random(in: 0..<1, using: &random) < 0.15 {
                let begin = Double.random(in: 38_000...45_000, using: &random)
                self.troubles[person].buffering = begin...(begin + 3_600)
            }
            self.troubles[person].isInCanyon = Double.random(in: 0..<1, using: &random) < 0.3
        }
        if riders > 0 {
            let ride = self.town.stop.distance(to: self.town.terminus) / 9
            // Riders who walk the same way to the stop are already together before they reach it.
            let since = self.together(self.people / 2 + 1, of: riders, before: bus)
            self.expect(self.people - 1, .gathered, from: since + self.dwell, until: bus + ride)
        }
    }

    private mutating func evening(random: inout SeededGenerator) {
        let last = self.people - 1
        let start = 63_000 + Double.random(in: 0...3_600, using: &random)
        switch self.story {
        case .quiet, .bus:
            for person in 0..<self.people {
                self.journeys[person].go(to: self.town.homes[person], at: start + Double(person) * 300, speed: 8)
            }
        case .allCome:
            self.come(Array(0...last), from: start, lastGap: Double.random(in: 20...100, using: &random), &random)
        case .lastIsLate:
            self.come(Array(0...last), from: start, lastGap: Double.random(in: 400...2_400, using: &random), &random)
        case .staysAway:
            self.come(Array(0..<last), from: start, &random)
            self.missing(last, until: nil)
        case .nearby:
            self.come(Array(0..<last), from: start, lastGap: Double.random(in: 20...100, using: &random), &random)
            let table = PlanePoint(east: self.town.cafe.east + 1.2 * self.radius, north: self.town.cafe.north)
            self.journeys[last].arrive(at: table, by: start - 300, speed: 8)
        case .leavesByChoice:
            self.come(Array(0...last), from: start, lastGap: Double.random(in: 20...100, using: &random), &random)
            let begin = self.everybodyHere + Double.random(in: 1_500...3_000, using: &random)
            self.journeys[last].go(to: self.town.homes[last], at: begin, speed: 1.4)
        case .leftBehind:
            self.come(Array(0...last), from: start, lastGap: Double.random(in: 20...100, using: &random), &random)
            self.goOn(Array(0..<last), leaving: last, &random)
        case .toldThenLeft:
            self.come(Array(0...last), from: start, lastGap: Double.random(in: 500...900, using: &random), &random)
            self.goOn(Array(0..<last), leaving: last, &random)
        case .twoCars:
            self.come(Array(0...last), from: start, lastGap: Double.random(in: 20...100, using: &random), &random)
            let begin = self.everybodyHere + Double.random(in: 1_500...3_000, using: &random)
            for person in 0...last {
                let isFirst = person < self.people / 2 + 1
                let moment = begin + Double.random(in: 0...5, using: &random) + (isFirst ? 0 : 40)
                self.journeys[person].go(to: isFirst ? self.town.bar : self.town.cinema, at: moment, speed: 14)
            }
        case .phoneDies:
            self.come(Array(0...last), from: start, lastGap: Double.random(in: 20...100, using: &random), &random)
            self.troubles[last].death = self.everybodyHere + Double.random(in: 700...1_200, using: &random)
            // A position at rest is valid for 45 min; before that the outcome cannot be known.
            self.goOn(Array(0...last), leaving: nil, after: 4_000, &random)
        case .absentPhoneDies:
            self.troubles[last].death = start - Double.random(in: 7_200...14_400, using: &random)
            self.come(Array(0..<last), from: start, lastGap: Double.random(in: 20...100, using: &random), &random)
        case .paused:
            self.pauses = (last, start - Double.random(in: 3_600...14_400, using: &random))
            self.come(Array(0..<last), from: start, lastGap: Double.random(in: 20...100, using: &random), &random)
        case .droppedHome, .passBy, .getsOff, .busLeaves, .tiesShoe: self.pass(last, from: start, &random)
        case .wakesLate, .ghost, .deadAmongThem, .deadZone: self.silence(last, from: start, &random)
        case .concert, .twoDevices, .clockHour, .sparse: self.trouble(last, from: start, &random)
        }
    }

    /// The time since which, without interruption until `moment`, a chain of `count` of the first `people` is within
    /// the radius.
    private func together(_ count: Int, of people: Int, before moment: Double) -> Double {
        var since = moment
        while since > 0 {
            let places = (0..<people).map { self.journeys[$0].position(at: since) }
            guard self.largestCluster(of: places) >= count else { break }
            since -= 1
        }
        return since
    }

    private func largestCluster(of places: [PlanePoint]) -> Int {
        var rest = Array(places.indices)
        var largest = 0
        while let first = rest.popLast() {
            var cluster = [first]
            var next = 0
            while next < cluster.count {
                let one = places[cluster[next]]
                cluster += rest.filter { places[$0].distance(to: one) <= self.radius }
                rest.removeAll { places[$0].distance(to: one) <= self.radius }
                next += 1
            }
            largest = max(largest, cluster.count)
        }
        return largest
    }

    // MARK: Movements

    var everybodyHere: Double { self.journeys.map(\.end).max() ?? 0 }

    /// Moves people to the café one by one, the last of them `lastGap` seconds after the previous one.
    ///
    /// People who do not count, because sharing is paused or the phone is dead, are not included. So the last person in
    /// the list is the last missing one.
    mutating func come(
        _ people: [Int],
        from start: Double,
        lastGap: Double? = nil,
        _ random: inout SeededGenerator
    ) {
        var moment = start
        for (place, person) in people.enumerated() {
            if place > 0 {
                let isLast = place == people.count - 1
                // In a large group several arrive together, well before the last two.
                let comesWithOthers = place > 4 && place < people.count - 2
                let gap = Double.random(in: comesWithOthers ? 20...90 : 330...600, using: &random)
                moment = self.journeys[people[place - 1]].end + (isLast ? lastGap ?? gap : gap)
                if isLast, lastGap != nil { self.missing(person, until: moment) }
            }
            let seat = self.town.cafe.shifted(by: Double.random(in: 1...12, using: &random), random: &random)
            self.journeys[person].arrive(at: seat, by: moment, speed: 8)
        }
    }

    /// Expects an alert to a person who is missing while all others are there, if that lasts longer than the dwell.
    mutating func missing(_ person: Int, until arrival: Double?) {
        // An arriving person is within the radius before the end of the leg.
        let since = self.journeys[person - 1].end - self.radius / 8
        if let arrival, arrival - since < self.dwell { return }
        self.expect(person, .gathered, from: since + self.dwell, until: since + self.dwell + Self.tolerance)
    }

    /// Moves all of `people` to the bar together.
    mutating func goOn(
        _ people: [Int],
        leaving left: Int?,
        after rest: Double = 1_500,
        timeout: Double = 0,
        _ random: inout SeededGenerator
    ) {
        let begin = self.everybodyHere + rest + Double.random(in: 0...1_500, using: &random)
        let isNear = self.town.cafe.distance(to: self.town.bar) < 3_000
        let speeds: [Double] = isNear ? [1.4, 9, 14] : [9, 14, 25]
        let speed = speeds.randomElement(using: &random) ?? 9
        var reach = 200 / speed
        if speed > 5, Double.random(in: 0..<1, using: &random) < 0.3 {
            // The tunnel begins shortly after the start of the ride, and suppresses all informative fixes.
            let tunnel = (begin + 15)...(begin + Double.random(in: 120...280, using: &random))
            for person in people { self.troubles[person].tunnels.append(tunnel) }
            reach = max(reach, tunnel.upperBound - begin)
        }
        for person in people {
            let moment = begin + Double.random(in: 0...5, using: &random)
            let seat = self.town.bar.shifted(by: Double.random(in: 1...12, using: &random), random: &random)
            self.journeys[person].go(to: seat, at: moment, speed: speed)
        }
        guard let left else { return }
        self.expect(
            left,
            .departed,
            from: begin + 200 / speed,
            until: begin + reach + 60 + Self.silence + timeout,
            wait: Wait(from: begin + reach + Self.parting + timeout, timeout: Self.hearing)
        )
    }

    mutating func expect(
        _ person: Int,
        _ variant: LeftWithoutYou.Variant,
        from: Double,
        until: Double,
        wait: Wait? = nil
    ) {
        self.left.append(Left(person: person, variant: variant, from: from, until: until, wait: wait))
    }
}
