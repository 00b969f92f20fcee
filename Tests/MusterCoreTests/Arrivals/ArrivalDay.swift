@testable import MusterCore

/// The generator SplitMix64, so that a seed names a day.
struct DayRandom: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { self.state = seed }

    mutating func next() -> UInt64 {
        self.state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = self.state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A normally distributed number.
    mutating func normal() -> Double {
        (0..<12).reduce(-6.0) { sum, _ in sum + Double.random(in: 0..<1, using: &self) }
    }
}

/// A day of one person: a true path, the fixes of a phone, and the events that a rule must find.
struct ArrivalDay {
    /// A rhythm of reports.
    struct Phone {
        var name: String
        /// The seconds between two fixes while moving, and at rest.
        var moving: Int
        var resting: Int
        /// The seconds between two deliveries; 0 for each fix at once.
        var batch = 0
        var accuracy: ClosedRange<Double> = 5...25
        /// The share of fixes that are far away.
        var outliers = 0.0
    }

    /// A true arrival or departure.
    struct Truth: Equatable {
        var place: Int
        var hasArrived: Bool
        var second: Int
    }

    static let phones = [
        Phone(name: "each 10 s", moving: 10, resting: 10),
        Phone(name: "pings", moving: 10, resting: 300),
        Phone(name: "each 60 s", moving: 60, resting: 60, outliers: 0.002),
        Phone(name: "sparse", moving: 120, resting: 300),
        Phone(name: "batches", moving: 10, resting: 60, batch: 60),
        Phone(name: "poor", moving: 15, resting: 60, accuracy: 10...60, outliers: 0.002),
    ]

    static let circles = [(0.0, 0.0, 100.0), (3_000.0, 0.0, 150.0), (3_000.0, 2_500.0, 120.0), (1_500.0, 60.0, 200.0)]
        .enumerated()
        .map { index, circle in
            ArrivalGround.Circle(
                place: GroupPlaceID(Int64(index + 1)),
                centre: Self.coordinate(circle.0, circle.1),
                radius: circle.2
            )
        }

    let phone: Phone
    private(set) var fixes: [ArrivalFix] = []
    private(set) var truths: [Truth] = []
    private var path: [(x: Double, y: Double, isMoving: Bool)] = []
    private static let begin: Int64 = 1_764_000_000_000

    static func moment(_ second: Int) -> Timestamp { Timestamp(milliseconds: Self.begin + Int64(second) * 1_000) }

    static func coordinate(_ x: Double, _ y: Double) -> Coordinate {
        Coordinate(
            latitude: 45 + y / Coordinate.metresPerDegree,
            longitude: 7 + x / Coordinate.metresPerDegree * 2.0.squareRoot()
        )
    }

    /// The last second of the day.
    var end: Int { self.path.count }

    /// Generates a day: home, work, a shop and home again, past the fourth place without stopping there.
    init(seed: UInt64) {
        var random = DayRandom(seed: seed)
        self.phone = Self.phones[Int(seed % UInt64(Self.phones.count))]
        var here = (x: 0.0, y: 0.0)
        self.rest(at: here, 1_800)
        for place in [1, 2, 0, 2, 0] {
            let centre = [(0.0, 0.0), (3_000.0, 0.0), (3_000.0, 2_500.0)][place]
            let spread = [40.0, 60.0, 50.0][place]
            let next = (x: centre.0 + spread * random.normal() / 3, y: centre.1 + spread * random.normal() / 3)
            let speeds: [Double] = [1.4, 5, 10, 14]
            let speed = speeds[Int.random(in: 0..<4, using: &random)]
            self.move(from: here, to: next, speed: speed, stopping: Bool.random(using: &random) ? 40 : 0, &random)
            self.rest(at: next, Int.random(in: 1_500...6_000, using: &random))
            here = next
        }
        self.findTruths()
        self.report(&random)
    }

    private mutating func rest(at point: (x: Double, y: Double), _ seconds: Int) {
        for _ in 0..<seconds { self.path.append((point.x, point.y, false)) }
    }

    private mutating func move(
        from start: (x: Double, y: Double),
        to end: (x: Double, y: Double),
        speed: Double,
        stopping: Int,
        _ random: inout DayRandom
    ) {
        let length = ((end.x - start.x) * (end.x - start.x) + (end.y - start.y) * (end.y - start.y)).squareRoot()
        let steps = max(Int(length / speed), 1)
        let stop = Int.random(in: 0..<steps, using: &random)
        for step in 1...steps {
            let share = Double(step) / Double(steps)
            let point = (x: start.x + (end.x - start.x) * share, y: start.y + (end.y - start.y) * share)
            self.path.append((point.x, point.y, true))
            if step == stop { for _ in 0..<stopping { self.path.append((point.x, point.y, true)) } }
        }
    }

    /// A true visit lasts for at least 5 min within the circle.
    private mutating func findTruths() {
        for (place, circle) in Self.circles.enumerated() {
            var begin: Int?
            for second in 0...self.path.count {
                let isInside =
                    second < self.path.count
                    && Self.coordinate(self.path[second].x, self.path[second].y).distance(to: circle.centre)
                        <= circle.radius
                if isInside, begin == nil { begin = second }
                guard !isInside, let since = begin else { continue }
                begin = nil
                guard second - since >= 300 else { continue }
                if since > 0 { self.truths.append(Truth(place: place, hasArrived: true, second: since)) }
                if second < self.path.count {
                    self.truths.append(Truth(place: place, hasArrived: false, second: second))
                }
            }
        }
        self.truths.sort { $0.second < $1.second }
    }

    private mutating func report(_ random: inout DayRandom) {
        var second = 0
        var drift = (x: 0.0, y: 0.0)
        while second < self.path.count {
            let here = self.path[second]
            let accuracy = Double.random(in: self.phone.accuracy, using: &random)
            drift.x = 0.8 * drift.x + 0.6 * random.normal() * accuracy / 2
            drift.y = 0.8 * drift.y + 0.6 * random.normal() * accuracy / 2
            let isOutlier = Double.random(in: 0..<1, using: &random) < self.phone.outliers
            let away = isOutlier ? Double.random(in: 300...3_000, using: &random) : 0
            let delivery = self.phone.batch == 0 ? second : (second / self.phone.batch + 1) * self.phone.batch
            self.fixes.append(
                ArrivalFix(
                    device: DeviceID(1),
                    at: Self.moment(second),
                    receivedAt: Self.moment(delivery + 1),
                    coordinate: Self.coordinate(here.x + drift.x + away, here.y + drift.y),
                    accuracy: Float(accuracy),
                    standing: .timely,
                    isPing: !here.isMoving && self.phone.resting >= 300
                )
            )
            let interval = here.isMoving ? self.phone.moving : self.phone.resting
            // A phone that rests wakes up when it begins to move.
            var next = second + 1
            while next < min(second + interval, self.path.count) {
                if self.phone.moving < self.phone.resting, self.path[next].isMoving, !here.isMoving { break }
                next += 1
            }
            second = next
        }
    }

    // MARK: Running

    /// An event with the second at which it was notified.
    struct Told: Equatable {
        var place: Int
        var hasArrived: Bool
        var second: Int
        var since: Timestamp
    }

    /// Runs the rule over fixes, which arrive in the order of `arrivals`.
    ///
    /// A tick follows each `step` milliseconds. After the fixes whose numbers are in `restarts` the rule is stored and
    /// restored.
    static func run(
        _ fixes: [(fix: ArrivalFix, arrival: Timestamp)],
        step: Int64 = 1_000,
        circles: [ArrivalGround.Circle] = Self.circles,
        until end: Timestamp,
        restarts: Set<Int> = []
    ) -> [Told] {
        let ground = ArrivalGround(group: GroupID(1), circles: circles)
        let mask: UInt32 = 1 << UInt32(circles.count) - 1
        var rule = ArrivalRule()
        rule.watch(ground, mask: mask, since: Timestamp(milliseconds: 0))
        let fixes = fixes.enumerated().sorted { ($0.element.arrival, $0.offset) < ($1.element.arrival, $1.offset) }
            .map(\.element)
        guard var now = fixes.first?.arrival else { return [] }
        var next = 0
        var told: [Told] = []
        var stored: [GroupPlaceID: StoredArrival] = [:]
        while now <= end {
            while next < fixes.count, fixes[next].arrival <= now {
                rule.accept(fixes[next].fix)
                next += 1
                guard restarts.contains(next) else { continue }
                var restored = ArrivalRule()
                restored.watch(ground, mask: mask, since: Timestamp(milliseconds: 0))
                let from = fixes[next - 1].fix.at - ArrivalRule.memory
                restored.restore(
                    stored.keys.sorted().compactMap { stored[$0] },
                    fixes: fixes[..<next].map(\.fix).filter { $0.at >= from }
                )
                rule = restored
            }
            var events: [ArrivalEvent] = []
            let before = rule.standings
            rule.advance(to: now, into: &events)
            for place in rule.changes(since: before) { stored[place] = rule.stored(place, of: UserID(1)) }
            for event in events {
                let second = Int((now.milliseconds - Self.begin) / 1_000)
                let place = Int(event.place.rawValue) - 1
                told.append(Told(place: place, hasArrived: event.hasArrived, second: second, since: event.since))
            }
            now = now + step
        }
        return told
    }

    /// Runs the rule over the day.
    func run(step: Int64 = 1_000, restarts: Set<Int> = []) -> [Told] {
        Self.run(
            self.fixes.map { ($0, max($0.due, $0.at + 1_000)) },
            step: step,
            until: Self.moment(self.end + 600),
            restarts: restarts
        )
    }
}

/// The comparison of what was told with what was true.
struct ArrivalScore {
    var days = 0
    var truths = 0
    var found = 0
    var wrong = 0
    var flaps = 0

    /// Adds a day.
    mutating func add(_ day: ArrivalDay, _ told: [ArrivalDay.Told]) {
        self.days += 1
        self.truths += day.truths.count
        var used: Set<Int> = []
        for truth in day.truths {
            let match = told.indices.first { index in
                !used.contains(index) && told[index].place == truth.place && told[index].hasArrived == truth.hasArrived
                    && told[index].second >= truth.second - 60 && told[index].second <= truth.second + 1_500
            }
            guard let match else { continue }
            used.insert(match)
            self.found += 1
        }
        let wrong = told.indices.filter { !used.contains($0) }
        self.wrong += wrong.count
        self.flaps +=
            wrong.filter { index in
                told.contains { other in
                    other.place == told[index].place && other.hasArrived != told[index].hasArrived
                        && other.second > told[index].second && other.second - told[index].second <= 1_800
                }
            }.count
    }
}
