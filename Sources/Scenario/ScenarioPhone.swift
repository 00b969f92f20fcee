import MusterCore
import MusterWire

// What phones do to the truth. On the way a phone reports every 10 to 30 s; at rest every minute, after ten minutes every ten
// as a `ping`. Errors wander: a first-order process of one minute, with 68 % of them within the accuracy that is reported.
// One fix in fifty is of a cell tower and says so; where streets are narrow, one in a hundred is 150 to 300 m off and does not.

/// A phone with its clock, its receiver and its way of reporting.
struct ScenarioPhone {
    /// What goes wrong with it on a day.
    struct Troubles {
        /// Seconds in which it gets no position.
        var tunnels: [ClosedRange<Double>] = []
        /// Seconds in which it keeps what it has for later.
        var buffering: ClosedRange<Double>?
        /// When it dies.
        var death: Double?
        /// Whether reflections throw its position about.
        var isInCanyon = false
        /// Seconds in which its positions are some 60 m off, and say so.
        var poor: ClosedRange<Double>?
        /// From when on it reports every five minutes only, whatever its person does.
        var sparseFrom: Double?
    }

    /// A line with the moment at which it arrives.
    struct Arrival {
        let at: Int64
        let line: TraceLine
        /// When it was taken, in seconds of the day, if it is a fix that comes soon and says where its person is.
        var sound: Double?
    }

    /// Up to so many metres of error, said and true, a fix says where its person is.
    private static let soundness = 100.0

    let user: String
    /// What the trace calls the device.
    let device: String
    private let kind: DeviceKind
    /// Milliseconds by which its clock is wrong.
    let skew: Int64
    /// Seconds between two fixes on the way.
    let interval: Double
    private var sequence: Int64 = 0
    private var error = PlanePoint(east: 0, north: 0)
    private var errorAt = 0.0

    /// Gives a person a phone.
    init(user: String, random: inout SeededGenerator) {
        self.user = user
        self.device = "phone"
        self.kind = .phone
        self.skew =
            Double.random(in: 0..<1, using: &random) < 0.2 ? Int64.random(in: -115_000...115_000, using: &random) : 0
        self.interval = Double.random(in: 10...30, using: &random)
    }

    /// Gives a person another device, whose clock is so many milliseconds wrong.
    init(user: String, device: DeviceKind, skew: Int64, random: inout SeededGenerator) {
        self.user = user
        self.device = device.rawValue
        self.kind = device
        self.skew = skew
        self.interval = Double.random(in: 10...30, using: &random)
    }

    /// Reports a day, in the order in which fixes are taken.
    mutating func report(
        _ journey: Journey,
        from day: Int64,
        _ troubles: Troubles,
        random: inout SeededGenerator,
        into arrivals: inout [Arrival]
    ) {
        var time = Double.random(in: 0...60, using: &random)
        while time < 86_380, time < troubles.death ?? .infinity {
            if !troubles.tunnels.contains(where: { $0.contains(time) }) {
                self.record(journey, at: time, day, troubles, random: &random, into: &arrivals)
            }
            let isSparse = troubles.sparseFrom.map { $0 <= time } ?? false
            let pause = isSparse ? 300 : self.pause(journey, at: time)
            var next = time + pause * Double.random(in: 0.9...1.1, using: &random)
            if !isSparse, !journey.isMoving(at: time), let departure = journey.nextDeparture(after: time) {
                next = min(next, departure + self.interval * Double.random(in: 0.2...1, using: &random))
            }
            // Who has a signal again says so.
            if let wake = troubles.tunnels.first(where: { $0.contains(time) })?.upperBound {
                next = min(next, wake + Double.random(in: 1...20, using: &random))
            }
            time = next
        }
    }

    private func pause(_ journey: Journey, at time: Double) -> Double {
        if journey.isMoving(at: time) { return self.interval }
        return time - journey.restingSince(time) < 600 ? 60 : 600
    }

    private mutating func record(
        _ journey: Journey,
        at time: Double,
        _ day: Int64,
        _ troubles: Troubles,
        random: inout SeededGenerator,
        into arrivals: inout [Arrival]
    ) {
        let isMoving = journey.isMoving(at: time)
        let isResting = !isMoving && time - journey.restingSince(time) >= 600
        let isPoor = troubles.poor?.contains(time) ?? false
        var accuracy =
            isPoor
            ? Double.random(in: 45...75, using: &random)
            : isMoving ? Double.random(in: 4...15, using: &random) : Double.random(in: 8...35, using: &random)
        var seen = journey.position(at: time)
        let kind = Double.random(in: 0..<1, using: &random)
        if kind < 0.02 {
            accuracy = Double.random(in: 150...3_000, using: &random)
            seen = seen.shifted(by: accuracy, random: &random)
        } else if troubles.isInCanyon, kind < 0.03 {
            accuracy = Double.random(in: 5...12, using: &random)
            seen = seen.shifted(by: Double.random(in: 150...300, using: &random), random: &random)
        } else {
            self.wander(to: time, accuracy: accuracy, random: &random)
            seen.east += self.error.east
            seen.north += self.error.north
        }
        let truth = journey.position(at: time)
        var isSound = accuracy <= Self.soundness && seen.distance(to: truth) <= Self.soundness
        self.sequence += 1
        let taken = day + Int64(time * 1000)
        let fix = Fix(
            sequence: self.sequence,
            at: Timestamp(milliseconds: taken + self.skew),
            coordinate: Coordinate(latitude: 48.2082, longitude: 16.3738).moved(east: seen.east, north: seen.north),
            accuracy: Float(accuracy.rounded()),
            trigger: isResting ? .ping : .move
        )
        var arrival = taken + Int64.random(in: 80...2_900, using: &random)
        if let buffering = troubles.buffering, buffering.contains(time) {
            arrival = day + Int64(buffering.upperBound * 1000) + self.sequence
            isSound = false
        }
        self.send(fix, at: arrival, sound: isSound ? time : nil, into: &arrivals)
        if Double.random(in: 0..<1, using: &random) < 0.02 {
            self.send(fix, at: arrival + Int64.random(in: 500...20_000, using: &random), sound: nil, into: &arrivals)
        }
    }

    private func send(_ fix: Fix, at arrival: Int64, sound: Double?, into arrivals: inout [Arrival]) {
        let report = TraceLine.Report(
            user: self.user,
            device: self.device,
            kind: self.kind == .phone ? nil : self.kind,
            receivedAt: Timestamp(milliseconds: arrival),
            fix: fix
        )
        arrivals.append(Arrival(at: arrival, line: .fix(report), sound: sound))
    }

    private mutating func wander(to time: Double, accuracy: Double, random: inout SeededGenerator) {
        // A Rayleigh variable is within 1.51 of its scale 68 times in a hundred.
        let scale = accuracy / 1.51
        let elapsed = max(0, time - self.errorAt) / 60
        let memory = 1 / (1 + elapsed + elapsed * elapsed / 2)
        let fresh = (1 - memory * memory).squareRoot() * scale
        self.error.east = memory * self.error.east + fresh * Double.normal(using: &random)
        self.error.north = memory * self.error.north + fresh * Double.normal(using: &random)
        self.errorAt = time
    }
}

extension PlanePoint {
    /// The point so many metres away in any direction.
    func shifted(by distance: Double, random: inout SeededGenerator) -> Self {
        var (east, north) = (0.0, 0.0)
        repeat {
            east = Double.random(in: -1...1, using: &random)
            north = Double.random(in: -1...1, using: &random)
        } while !(0.01...1).contains(east * east + north * north)
        let length = (east * east + north * north).squareRoot()
        return Self(east: self.east + distance * east / length, north: self.north + distance * north / length)
    }
}

extension Double {
    /// A number of the standard normal distribution, near enough: the sum of twelve (Irwin–Hall).
    static func normal(using random: inout SeededGenerator) -> Double {
        (0..<12).reduce(-6.0) { sum, _ in sum + Double.random(in: 0..<1, using: &random) }
    }
}
