import MusterCore
import MusterWire

// The errors of phones. A moving phone reports every 10 to 30 s. A phone at rest reports every minute, and after ten
// minutes every ten minutes as a `ping`. Position errors follow a first-order process of one minute, with 68 % of them
// within the reported accuracy. One fix in fifty comes from a cell tower, with the corresponding accuracy. In narrow
// streets one in a hundred is 150 to 300 m off, with a good accuracy.

/// A phone with its clock, its receiver and its reporting pattern.
struct ScenarioPhone {
    /// The problems of a phone on one day.
    struct Troubles {
        /// Intervals without a position, in seconds of the day.
        var tunnels: [ClosedRange<Double>] = []
        /// An interval in which fixes are buffered and sent at its end.
        var buffering: ClosedRange<Double>?
        /// The time at which the phone dies.
        var death: Double?
        /// Whether reflections disturb its positions.
        var isInCanyon = false
        /// An interval in which positions are some 60 m off, with a corresponding accuracy.
        var poor: ClosedRange<Double>?
        /// The time from which the phone reports only every five minutes, even while moving.
        var sparseFrom: Double?
    }

    /// A line with its time of arrival.
    struct Arrival {
        let at: Int64
        let line: TraceLine
        /// The time of a sound fix, in seconds of the day: it arrives soon and is accurate; nil for other lines.
        var sound: Double?
    }

    /// The maximum reported and true error of a sound fix, in metres.
    private static let soundness = 100.0

    let user: String
    /// The name of the device in the trace.
    let device: String
    private let kind: DeviceKind
    /// The error of the device's clock in milliseconds.
    let skew: Int64
    /// The interval between two fixes while moving, in seconds.
    let interval: Double
    private var sequence: Int64 = 0
    private var error = PlanePoint(east: 0, north: 0)
    private var errorAt = 0.0

    /// Creates a phone.
    init(user: String, random: inout SeededGenerator) {
        self.user = user
        self.device = "phone"
        self.kind = .phone
        self.skew =
            Double.random(in: 0..<1, using: &random) < 0.2 ? Int64.random(in: -115_000...115_000, using: &random) : 0
        self.interval = Double.random(in: 10...30, using: &random)
    }

    /// Creates another device, with the given clock error in milliseconds.
    init(user: String, device: DeviceKind, skew: Int64, random: inout SeededGenerator) {
        self.user = user
        self.device = device.rawValue
        self.kind = device
        self.skew = skew
        self.interval = Double.random(in: 10...30, using: &random)
    }

    /// Appends the reports of a day, in the order in which the fixes are taken.
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
            // A phone reports soon after it has a signal again.
            if let wake = troubles.tunnels.first(where: { $0.contains(time) })?.upperBound {
                next = min(next, wake + Double.random(in: 1...20, using: &random))
            }
            time = next
        }
    }

    private func pause(_ journey: Journey, at time: Double) -> Double {
        if journey.isMoving(at: time) { return self.interval }
        return time - journey.throttledSince(time) < 600 ? 60 : 600
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
        let isThrottled = !isMoving && time - journey.throttledSince(time) >= 600
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
            trigger: isThrottled ? .ping : .move
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
        // 68 % of the values of a Rayleigh variable are within 1.51 times its scale.
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
    /// The point at a distance in metres, in a random direction.
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
    /// A number with an approximate standard normal distribution: the sum of twelve uniform numbers (Irwin–Hall).
    static func normal(using random: inout SeededGenerator) -> Double {
        (0..<12).reduce(-6.0) { sum, _ in sum + Double.random(in: 0..<1, using: &random) }
    }
}
