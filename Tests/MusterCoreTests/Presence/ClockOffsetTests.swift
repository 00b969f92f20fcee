import Testing

@testable import MusterCore

@Suite("Clocks of devices")
struct ClockOffsetTests {
    /// Feeds fixes that are taken every 10 s and delayed as given, by a clock so many seconds ahead.
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
            // Everything of the last 100 s comes at once.
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
            let judgement = gate.judge(fix, receivedAt: now, newestShown: shown, retention: FixGateTests.retention)
            verdicts.append(FixGateTests.judged(judgement))
            guard case .judged(let judged) = judgement else { continue }
            #expect(judged.at == now)
            shown = judged.at
        }
        #expect(verdicts == [.future, .future, .ok, .ok, .ok, .ok])
    }
}
