import Testing

@testable import MusterCore

@Suite("Clocks of devices")
struct ClockOffsetTests {
    /// The offset after fixes that are taken every 10 s by a clock this many seconds ahead, each delayed as given.
    static func offset(ahead: Double, delays: [Double]) -> Double {
        var clock = ClockOffset()
        for (index, delay) in delays.enumerated() {
            let second = Double(index) * 10
            clock.learn(GatheringScene.moment(second + ahead), receivedAt: GatheringScene.moment(second + delay))
        }
        return Double(clock.milliseconds) / 1000
    }

    @Test(
        "up to 2 min are corrected after three arrivals, more is not, and seconds are not",
        arguments: [(90.0, -89.8), (-90, 90.2), (120, -119.8), (-120, 120.2), (3, 0), (-3, 0), (200, 0), (-200, 0)]
    )
    func learns(ahead: Double, offset: Double) {
        #expect(Self.offset(ahead: ahead, delays: [0.2, 0.2]) == 0)
        #expect(abs(Self.offset(ahead: ahead, delays: [0.2, 0.2, 0.2]) - offset) < 0.001)
    }

    @Test(
        "a clock is known, right or wrong, once three arrivals agree",
        arguments: [(0.0, true), (3, true), (-90, true), (120, true), (200, false), (3600, false)]
    )
    func known(ahead: Double, isKnown: Bool) {
        var clock = ClockOffset()
        for second in stride(from: 0.0, to: 30, by: 10) {
            #expect(!clock.isKnown)
            clock.learn(GatheringScene.moment(second + ahead), receivedAt: GatheringScene.moment(second + 0.2))
        }
        #expect(clock.isKnown == isKnown)
        #expect(ClockOffset(milliseconds: 0).isKnown)
    }

    @Test("three fixes of one arrival are no agreement")
    func oneArrival() {
        var clock = ClockOffset()
        for second in [0.0, 0.2, 0.4] {
            clock.learn(GatheringScene.moment(second), receivedAt: GatheringScene.moment(second + 0.2))
        }
        #expect(!clock.isKnown)
    }

    @Test("one wrong time moves nothing", arguments: [90.0, -90, 3600])
    func oneWrong(error: Double) {
        var clock = ClockOffset()
        for second in stride(from: 0.0, to: 200, by: 10) {
            let wrong = second == 100 ? error : 0
            clock.learn(GatheringScene.moment(second + wrong), receivedAt: GatheringScene.moment(second + 0.3))
            #expect(clock.milliseconds == 0)
        }
    }

    @Test("the freshest fixes count: delays now and then, and whole buffers, change nothing")
    func delays() {
        #expect(Self.offset(ahead: 0, delays: [0.2, 0.3, 45, 0.2, 50, 48, 0.3, 47, 46]) == 0)
        var clock = ClockOffset()
        for second in 0..<50 {
            // All fixes of the last 100 s arrive at once.
            clock.learn(
                GatheringScene.moment(Double(second) * 2),
                receivedAt: GatheringScene.moment(100 + Double(second) * 0.015)
            )
            #expect(clock.milliseconds == 0)
        }
    }

    @Test("a clock that is set right is believed after six arrivals")
    func setRight() {
        var clock = ClockOffset()
        for index in 0..<8 {
            clock.learn(
                GatheringScene.moment(Double(index) * 10 + 60),
                receivedAt: GatheringScene.moment(Double(index) * 10)
            )
        }
        #expect(clock.milliseconds == -60_000)
        for index in 8..<14 {
            clock.learn(
                GatheringScene.moment(Double(index) * 10),
                receivedAt: GatheringScene.moment(Double(index) * 10)
            )
        }
        #expect(clock.milliseconds == 0)
    }

    @Test("a phone 90 s ahead is future at first, and right as soon as its clock is known", arguments: [90.0, 119])
    func gate(ahead: Double) {
        var gate = FixGate(acknowledged: 0)
        var verdicts: [FixVerdict?] = []
        var shown: Timestamp?
        for index in 0..<6 {
            let now = GatheringScene.moment(Double(index) * 10)
            let fix = Fix(
                sequence: Int64(index + 1),
                at: GatheringScene.moment(Double(index) * 10 + ahead),
                coordinate: GatheringScene.cafe,
                accuracy: 5
            )
            let evaluation = gate.evaluate(fix, receivedAt: now, newestShown: shown, retention: FixGateTests.retention)
            verdicts.append(FixGateTests.evaluated(evaluation))
            guard case .evaluated(let evaluated) = evaluation else { continue }
            #expect(evaluated.at == now)
            shown = evaluated.at
        }
        #expect(verdicts == [.future, .future, .ok, .ok, .ok, .ok])
    }

    @Test("what was learned while the server's clock was ahead is forgotten when that is put right")
    func turnedBack() {
        func fix(_ sequence: Int64, _ second: Double) -> Fix {
            Fix(
                sequence: sequence,
                at: GatheringScene.moment(second),
                coordinate: GatheringScene.cafe,
                accuracy: 5
            )
        }
        var gate = FixGate(acknowledged: 0)
        for index in 0..<3 {
            let second = Double(index) * 10
            _ = gate.evaluate(
                fix(Int64(index + 1), second),
                receivedAt: GatheringScene.moment(second + 90),
                newestShown: nil,
                retention: FixGateTests.retention
            )
        }
        #expect(gate.clockOffset == 90_000)
        let now = GatheringScene.moment(30)
        gate.rewind(to: now)
        #expect(gate.clockOffset == nil)
        let evaluation = gate.evaluate(fix(4, 30), receivedAt: now, newestShown: nil, retention: FixGateTests.retention)
        #expect(FixGateTests.evaluated(evaluation) == .ok)
        // A clock of which nothing was heard since keeps what was stored of it.
        var quiet = FixGate(acknowledged: 0, clockOffset: 90_000)
        quiet.rewind(to: now)
        #expect(quiet.clockOffset == 90_000)
    }
}

@Suite("Clocks that are wrong by quarter hours")
struct QuarterHoursTests {
    /// The state after fixes of a clock this many seconds ahead, one per interval, each delayed as given.
    static func clock(ahead: Double, every interval: Double = 70, delays: [Double]) -> ClockOffset {
        var clock = ClockOffset()
        for (index, delay) in delays.enumerated() {
            let second = Double(index) * interval
            clock.learn(GatheringScene.moment(second + ahead), receivedAt: GatheringScene.moment(second + delay))
        }
        return clock
    }

    static let delays = [9.0, 3, 40, 5, 20, 2, 33, 8, 14, 4]

    @Test(
        "ten arrivals over ten minutes that lag alike are a time zone, whatever way",
        arguments: [-3600.0, 3600, -900, 19_800, -20_700, 7_180]
    )
    func zones(ahead: Double) {
        #expect(Self.clock(ahead: ahead, delays: Array(Self.delays.prefix(9))).milliseconds == 0)
        let known = Self.clock(ahead: ahead, delays: Self.delays)
        #expect(known.milliseconds == Int64((2 - ahead) * 1000), "the least lag")
        let later = Self.clock(ahead: ahead, delays: Self.delays + [50, 48, 30, 31, 2, 30, 32])
        #expect(later.milliseconds == known.milliseconds, "delays up to a minute speak for it")
    }

    @Test(
        "what is no number of quarter hours, or is too scattered, too quick or interrupted, is none",
        arguments: [
            (-3300.0, 70.0, delays), (-3600, 60, delays), (-3600, 70, delays.map { $0 * 2 }),
            (-3600, 70, Array(delays.prefix(5)) + [-3600] + Array(delays.suffix(5))),
        ]
    )
    func none(ahead: Double, interval: Double, delays: [Double]) {
        #expect(Self.clock(ahead: ahead, every: interval, delays: delays).milliseconds == 0)
    }

    @Test("three arrivals that agree on another time end it, and one does not")
    func setRight() {
        var clock = Self.clock(ahead: -3600, delays: Self.delays)
        for (index, second) in stride(from: 740.0, to: 780, by: 10).enumerated() {
            #expect(clock.milliseconds == (index < 3 ? 3_602_000 : 0))
            clock.learn(GatheringScene.moment(second), receivedAt: GatheringScene.moment(second + 0.3))
        }
    }

    @Test(
        "arrivals that come sooner or later than those that proved it speak for it, and sooner ones make it less",
        arguments: [(3.0, 3.0), (90, 20), (118, 20), (-100, -100)],
        [-3600.0, 5400]
    )
    func otherDelays(_ delays: (then: Double, least: Double), ahead: Double) {
        let clock = Self.clock(
            ahead: ahead,
            delays: Array(repeating: 20, count: 10) + Array(repeating: delays.then, count: 4)
        )
        #expect(clock.milliseconds == Int64((delays.least - ahead) * 1000))
        #expect(clock.isKnown)
    }

    @Test("it holds over a restart, and an upload of what was kept is none")
    func restart() {
        var clock = ClockOffset(milliseconds: 3_602_000)
        for second in stride(from: 0.0, to: 300, by: 30) {
            clock.learn(GatheringScene.moment(second - 3600), receivedAt: GatheringScene.moment(second + 3))
        }
        #expect(clock.milliseconds == 3_602_000)
        var upload = ClockOffset()
        for second in stride(from: 0.0, to: 3600, by: 15) {
            // An hour of fixes, uploaded one per second, with a live one now and then.
            let now = 3600 + second / 15
            upload.learn(GatheringScene.moment(second), receivedAt: GatheringScene.moment(now))
            if second.remainder(dividingBy: 150) == 0 {
                upload.learn(GatheringScene.moment(now), receivedAt: GatheringScene.moment(now + 0.2))
            }
            #expect(upload.milliseconds == 0)
        }
    }

    @Test("a tracker one hour behind is late at first, and then drives gatherings at its right time")
    func gate() {
        var gate = FixGate(acknowledged: 0)
        var verdicts: [FixVerdict?] = []
        for index in 0..<14 {
            let second = Double(index) * 70
            let fix = Fix(
                sequence: Int64(index + 1),
                at: GatheringScene.moment(second - 3600),
                coordinate: GatheringScene.cafe,
                accuracy: 5
            )
            let evaluation = gate.evaluate(
                fix,
                receivedAt: GatheringScene.moment(second + 1),
                newestShown: nil,
                retention: FixGateTests.retention
            )
            verdicts.append(FixGateTests.evaluated(evaluation))
        }
        #expect(verdicts.prefix(9).allSatisfy { $0 == .late } && verdicts.suffix(5).allSatisfy { $0 == .ok })
    }
}
