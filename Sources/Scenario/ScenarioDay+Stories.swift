import MusterCore

// Evenings on which a simple threshold would decide wrongly: people who pass by, silent phones, and inaccurate devices.
// A story without an expected alert tests that there is none.

extension ScenarioDay {
    // MARK: Passing by

    /// All but one pass by the remaining person, or drop that person off.
    mutating func pass(_ last: Int, from start: Double, _ random: inout SeededGenerator) {
        let others = Array(0..<last)
        let soon = Double.random(in: 20...100, using: &random)
        guard self.story != .passBy else { return self.passBench(of: last, from: start, &random) }
        self.come(others + [last], from: start, lastGap: soon, &random)
        let begin = self.everybodyHere + Double.random(in: 1_500...3_000, using: &random)
        switch self.story {
        case .droppedHome:
            let home = self.town.homes[last]
            let pause = Double.random(in: 25...60, using: &random)
            let corner = home.shifted(by: Double.random(in: 300...450, using: &random), random: &random)
            let end = Bool.random(using: &random) ? corner : self.town.bar
            for person in others + [last] {
                self.ride(person, via: home, for: pause, to: end, from: begin, 12, &random)
            }
            // The person who is dropped at home stays there.
            self.journeys[last].stay(from: begin, beyond: home)
        case .getsOff:
            let stop = self.town.cafe.moved(towards: self.town.terminus, by: 0.3)
            for person in others + [last] {
                self.ride(person, via: stop, for: 20, to: self.town.terminus, from: begin, 9, &random)
            }
            self.journeys[last].stay(from: begin, beyond: stop)
        case .busLeaves:
            let way = self.town.cafe.distance(to: self.town.terminus)
            for person in others {
                let offset = Double.random(in: 0...5, using: &random)
                var time = begin + offset
                // A stop every 500 m.
                for stop in 1...8 {
                    let place = self.town.cafe.moved(towards: self.town.terminus, by: 500 * Double(stop) / way)
                    time = self.journeys[person].go(to: place, at: time, speed: 9) + 20
                }
                self.journeys[person].go(to: self.town.terminus, at: time, speed: 12)
            }
            let away = begin + 200 / 9
            self.expect(
                last,
                .departed,
                from: away,
                until: away + Self.parting + Self.silence,
                wait: Wait(from: away + Self.parting, timeout: Self.hearing)
            )
        case .tiesShoe:
            let middle = self.town.cafe.moved(towards: self.town.bar, by: 0.5)
            let pause = Double.random(in: 120...300, using: &random)
            for person in others + [last] {
                let offset = Double.random(in: 0...5, using: &random)
                let half = self.journeys[person].go(to: middle, at: begin + offset, speed: 1.4)
                self.journeys[person].go(to: self.town.bar, at: half + (person == last ? pause : 0), speed: 1.4)
            }
        case .quiet, .bus, .allCome, .lastIsLate, .staysAway, .nearby, .leavesByChoice, .leftBehind, .toldThenLeft,
            .twoCars, .phoneDies, .absentPhoneDies, .paused, .passBy, .wakesLate, .ghost, .deadAmongThem, .deadZone,
            .concert, .twoDevices, .clockHour, .sparse:
            break
        }
    }

    private mutating func passBench(of last: Int, from start: Double, _ random: inout SeededGenerator) {
        let others = Array(0..<last)
        let bench = self.town.cafe.moved(towards: self.town.bar, by: 0.5)
        self.journeys[last].arrive(at: bench, by: start - 900, speed: 8)
        self.come(others, from: start, &random)
        self.missing(last, until: nil)
        let begin = self.everybodyHere + Double.random(in: 1_500...3_000, using: &random)
        let speeds: [Double] = [1.4, 5, 12, 20]
        let speed = speeds.randomElement(using: &random) ?? 5
        let stops = Bool.random(using: &random)
        let pause = stops ? Double.random(in: 20...60, using: &random) : 0
        let beside = bench.shifted(by: Double.random(in: 3...25, using: &random), random: &random)
        for person in others {
            self.ride(person, via: beside, for: pause, to: self.town.bar, from: begin, speed, &random)
        }
    }

    private mutating func ride(
        _ person: Int,
        via stop: PlanePoint,
        for pause: Double,
        to end: PlanePoint,
        from begin: Double,
        _ speed: Double,
        _ random: inout SeededGenerator
    ) {
        let offset = Double.random(in: 0...5, using: &random)
        let arrival = self.journeys[person].go(to: stop, at: begin + offset, speed: speed)
        let seat = end.shifted(by: Double.random(in: 1...12, using: &random), random: &random)
        self.journeys[person].go(to: seat, at: arrival + pause, speed: speed)
    }

    // MARK: Silent phones

    /// A phone is silent for a while, or permanently.
    mutating func silence(_ last: Int, from start: Double, _ random: inout SeededGenerator) {
        let others = Array(0..<last)
        let soon = Double.random(in: 20...100, using: &random)
        if self.story == .wakesLate {
            self.come(others, from: start, lastGap: soon, &random)
        } else {
            self.come(others + [last], from: start, lastGap: soon, &random)
        }
        let begin = self.everybodyHere + Double.random(in: 1_500...3_000, using: &random)
        switch self.story {
        case .wakesLate:
            let wake = begin + self.town.cafe.distance(to: self.town.terminus) / 25 / 2
            self.troubles[last].tunnels.append((start - 14_400)...wake)
            for person in others { self.ride(person, from: begin, Double(25), &random) }
            self.expect(
                last,
                .gathered,
                from: wake + self.dwell,
                until: wake + self.dwell + Self.tolerance,
                wait: Wait(from: wake, timeout: self.dwell + 60)
            )
        case .deadZone:
            for person in others + [last] { self.ride(person, from: begin, 30, &random) }
            let zone = (begin + 60)...(begin + 60 + Double.random(in: 360...1_500, using: &random))
            self.troubles[0].tunnels.append(zone)
        case .ghost:
            let turn = self.town.cafe.shifted(by: 1_500, random: &random)
            self.troubles[last - 1].death = begin + Double.random(in: 50...100, using: &random)
            self.journeys[last - 1].go(to: turn, at: begin, speed: 12)
            self.journeys[last - 1].go(to: self.town.homes[last - 1], at: begin, speed: 12)
            let arrival = self.journeys[last].go(to: turn, at: begin, speed: 12)
            self.journeys[last].go(to: self.town.cafe, at: arrival + 20, speed: 1.4)
        case .deadAmongThem:
            self.goOn(others, leaving: last, timeout: 600, &random)
            self.troubles[0].death = (self.journeys[0].legs.last?.begin ?? begin) + 3
        case .quiet, .bus, .allCome, .lastIsLate, .staysAway, .nearby, .leavesByChoice, .leftBehind, .toldThenLeft,
            .twoCars, .phoneDies, .absentPhoneDies, .paused, .droppedHome, .passBy, .getsOff, .busLeaves, .tiesShoe,
            .concert, .twoDevices, .clockHour, .sparse:
            break
        }
    }

    private mutating func ride(_ person: Int, from begin: Double, _ speed: Double, _ random: inout SeededGenerator) {
        let offset = Double.random(in: 0...5, using: &random)
        self.journeys[person].go(to: self.town.terminus, at: begin + offset, speed: speed)
    }

    // MARK: Inaccurate devices

    /// All come, and all but one go on; or all stay where positions are inaccurate.
    mutating func trouble(_ last: Int, from start: Double, _ random: inout SeededGenerator) {
        self.come(Array(0...last), from: start, lastGap: Double.random(in: 20...100, using: &random), &random)
        switch self.story {
        case .concert:
            let here = self.everybodyHere
            let end = here + 7_200
            for person in 0...last {
                self.troubles[person].poor = (here + 300)...end
                self.journeys[person].go(to: self.journeys[person].place, at: end, speed: 1)
            }
        case .sparse:
            for person in 0...last { self.troubles[person].sparseFrom = self.everybodyHere + 600 }
            self.goOn(Array(0..<last), leaving: last, after: 2_400, timeout: 600, &random)
        case .quiet, .bus, .allCome, .lastIsLate, .staysAway, .nearby, .leavesByChoice, .leftBehind, .toldThenLeft,
            .twoCars, .phoneDies, .absentPhoneDies, .paused, .droppedHome, .passBy, .getsOff, .busLeaves, .tiesShoe,
            .wakesLate, .ghost, .deadAmongThem, .deadZone, .twoDevices, .clockHour:
            self.goOn(Array(0..<last), leaving: last, &random)
        }
    }
}
