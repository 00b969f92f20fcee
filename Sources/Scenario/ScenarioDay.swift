import MusterCore
import MusterWire

// Truth comes from the plot and nothing else. Somebody is missing from when all others are at the place until they come; who
// is missing for longer than the dwell is to be told, once, when it is over. Somebody is left behind from when the others are
// 200 m away. The plot keeps clear of what could be argued about: who comes, comes within 100 s of the one before or more
// than five and a half minutes later; who leaves by choice, leaves alone.
//
// Until when an alert is in time follows from the plot too. But what a phone does not say nobody can know: one at rest reports
// every ten minutes, and a report may be of a cell tower. So where it takes a fix of their own to know of somebody, it is in
// time at least until shortly after their first sound one (`Wait`). What is due does not depend on phones.

/// The plot of one day of a group of people: where each of them truly is, what goes wrong, and who was left.
struct ScenarioDay {
    /// Somebody who is to be told, in seconds of the day.
    struct Left {
        let person: Int
        let variant: LeftWithoutYou.Variant
        /// The first moment at which they may be told.
        let from: Double
        /// The last moment at which it is of use.
        let until: Double
        /// What it takes of their own phone to know.
        let wait: Wait?
    }

    /// A fix of their own that says where somebody is, from a second of the day on, and how long it takes from there.
    struct Wait {
        let from: Double
        let patience: Double
    }

    /// How long the plot lets an alert take at most, in seconds.
    static let tolerance = 420.0
    /// How long a phone at rest is silent at most, in seconds: who is left behind must say that they are still there.
    static let silence = 660.0
    /// How long it takes those who went to say that they are away, twice each, and the rule to believe it, in seconds.
    static let parting = 120.0
    /// How long a fix is on its way at most, and put in order, in seconds.
    static let hearing = 10.0

    let story: ScenarioStory
    var journeys: [Journey]
    var troubles: [ScenarioPhone.Troubles]
    package private(set) var left: [Left] = []
    /// Who shares nothing from when on.
    package private(set) var pauses: (person: Int, from: Double)?

    let people: Int
    let town: ScenarioTown
    let dwell: Double
    private let radius: Double

    /// Plots a day.
    init(_ story: ScenarioStory, in town: ScenarioTown, dwell: Double, radius: Double, random: inout SeededGenerator) {
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
            // One after the other, so that nobody is left behind by others who go together.
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
                // All are at the stop within 80 s, and get off at one place, whence each goes on alone.
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
            // Those who walk the same way to the stop are together before they are there.
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
            // A position at rest is good for 45 min: until then nobody can know.
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

    /// Since when, up to a moment, so many of the first `people` are within the radius of each other, one by one.
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

    // MARK: What people do

    var everybodyHere: Double { self.journeys.map(\.end).max() ?? 0 }

    /// People come to the café one by one, the last of them `lastGap` behind the one before.
    ///
    /// Whoever does not count, because they share nothing or their phone is dead, is not among them; so the last of them
    /// is the last one missing.
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
                // In a large group several come at once, long before the last two.
                let comesWithOthers = place > 4 && place < people.count - 2
                let gap = Double.random(in: comesWithOthers ? 20...90 : 330...600, using: &random)
                moment = self.journeys[people[place - 1]].end + (isLast ? lastGap ?? gap : gap)
                if isLast, lastGap != nil { self.missing(person, until: moment) }
            }
            let seat = self.town.cafe.shifted(by: Double.random(in: 1...12, using: &random), random: &random)
            self.journeys[person].arrive(at: seat, by: moment, speed: 8)
        }
    }

    /// Whoever is missing while all the others are there is to be told, when that lasts.
    mutating func missing(_ person: Int, until arrival: Double?) {
        // Who arrives is within the radius before they sit.
        let since = self.journeys[person - 1].end - self.radius / 8
        if let arrival, arrival - since < self.dwell { return }
        self.expect(person, .gathered, from: since + self.dwell, until: since + self.dwell + Self.tolerance)
    }

    /// All of `people` go on to the bar together.
    mutating func goOn(
        _ people: [Int],
        leaving left: Int?,
        after rest: Double = 1_500,
        patience: Double = 0,
        _ random: inout SeededGenerator
    ) {
        let begin = self.everybodyHere + rest + Double.random(in: 0...1_500, using: &random)
        let isNear = self.town.cafe.distance(to: self.town.bar) < 3_000
        let speeds: [Double] = isNear ? [1.4, 9, 14] : [9, 14, 25]
        let speed = speeds.randomElement(using: &random) ?? 9
        var reach = 200 / speed
        if speed > 5, Double.random(in: 0..<1, using: &random) < 0.3 {
            // The tunnel begins where the ride does, and swallows all of it that would tell.
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
            until: begin + reach + 60 + Self.silence + patience,
            wait: Wait(from: begin + reach + Self.parting + patience, patience: Self.hearing)
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
