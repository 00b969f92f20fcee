import Testing

@testable import MusterCore

@Suite("Fix gate")
struct FixGateTests {
    static let now = Timestamp(milliseconds: 1_800_000_000_000)
    static let retention: Int64 = 30 * 86_400_000

    private static let rollover: Int64 = 1_024 * 604_800_000
    private static let apple: Int64 = 978_307_200_000
    private static let satellites: Int64 = 315_964_800_000
    private static let hasRolledOver = "the receiver's GPS week number has rolled over"
    private static let milliseconds = "and must count milliseconds since 1970"

    /// One line of the table: the fix and the expected verdict.
    struct Row: Sendable, CustomTestStringConvertible {
        var name: String
        /// The age of the fix, in milliseconds before now.
        var age: Int64 = 0
        var accuracy: Float? = 8
        /// The age of the shown fix, in milliseconds before now; nil if none is shown.
        var shownAge: Int64?
        var verdict: FixVerdict
        var isShown: Bool
        var drives: Bool

        var testDescription: String { self.name }
    }

    @Test(
        "every verdict holds exactly up to its boundary",
        arguments: [
            Row(name: "fresh", verdict: .ok, isShown: true, drives: true),
            Row(name: "without accuracy", accuracy: nil, verdict: .ok, isShown: true, drives: true),
            Row(name: "as old as what is shown", age: 10, shownAge: 10, verdict: .ok, isShown: true, drives: true),
            Row(name: "older than shown", age: 11, shownAge: 10, verdict: .outOfOrder, isShown: false, drives: true),
            Row(name: "100 m", accuracy: 100, verdict: .ok, isShown: true, drives: true),
            Row(name: "100.1 m", accuracy: 100.1, verdict: .inaccurate, isShown: true, drives: false),
            Row(
                name: "inaccurate, older than shown",
                age: 11,
                accuracy: 500,
                shownAge: 10,
                verdict: .outOfOrder,
                isShown: false,
                drives: false
            ),
            Row(name: "5 min", age: 300_000, verdict: .ok, isShown: true, drives: true),
            Row(name: "late, newest", age: 300_001, shownAge: 400_000, verdict: .late, isShown: true, drives: false),
            Row(name: "late, not newest", age: 300_001, shownAge: 1, verdict: .late, isShown: false, drives: false),
            Row(name: "late, inaccurate", age: 300_001, accuracy: 500, verdict: .late, isShown: true, drives: false),
            Row(name: "60 s ahead", age: -60_000, verdict: .ok, isShown: true, drives: true),
            Row(name: "over 60 s ahead", age: -60_001, verdict: .future, isShown: true, drives: true),
            Row(name: "24 h ahead", age: -86_400_000, verdict: .future, isShown: true, drives: true),
            Row(
                name: "ahead, inaccurate",
                age: -60_001,
                accuracy: 500,
                verdict: .inaccurate,
                isShown: true,
                drives: false
            ),
            Row(name: "as old as history", age: retention, verdict: .late, isShown: true, drives: false),
        ]
    )
    func verdicts(row: Row) {
        var gate = FixGate(acknowledged: 0)
        let evaluation = gate.evaluate(
            Self.fix(1, age: row.age, accuracy: row.accuracy),
            receivedAt: Self.now,
            newestShown: row.shownAge.map { Self.now - $0 },
            retention: Self.retention
        )
        let at = row.age < -60_000 ? Self.now : Self.now - row.age
        let expected = EvaluatedFix(
            verdict: row.verdict,
            at: at,
            isStationary: false,
            isShown: row.isShown,
            drivesGatherings: row.drives
        )
        #expect(evaluation == .evaluated(expected))
    }

    @Test(
        "a fix too far ahead or too old is answered as an error",
        arguments: [-86_400_001, retention + 1]
    )
    func malformed(age: Int64) {
        var gate = FixGate(acknowledged: 0)
        let fix = Self.fix(1, age: age)
        let evaluation = gate.evaluate(fix, receivedAt: Self.now, newestShown: nil, retention: Self.retention)
        guard case .malformed = evaluation else {
            Issue.record("\(evaluation)")
            return
        }
    }

    @Test(
        "a time that is wrong in a known way is told so, and the field is named",
        arguments: [
            (Self.now.milliseconds / 1_000, "is in seconds and must be in milliseconds"),
            (Self.now.milliseconds - Self.rollover, "is 1024 weeks behind: \(Self.hasRolledOver)"),
            (Self.now.milliseconds - 2 * Self.rollover - 3_600_000, "is 2048 weeks behind: \(Self.hasRolledOver)"),
            (Self.now.milliseconds + Self.rollover, "is 1024 weeks ahead: the receiver's GPS week number is wrong"),
            ((Self.now.milliseconds - Self.apple) / 1_000, "counts seconds since 2001 \(Self.milliseconds)"),
            (Self.now.milliseconds - Self.apple, "counts from 2001 and must count from 1970"),
            ((Self.now.milliseconds - Self.satellites) / 1_000, "counts seconds since 1980 \(Self.milliseconds)"),
            (Self.now.milliseconds - Self.satellites, "counts from 1980 and must count from 1970"),
            (1_000, "is close to 1970: the clock of the device is not set"),
            (-3_600_000, "is close to 1970: the clock of the device is not set"),
            (10 * 86_400_000, "is close to 1970: the clock of the device is not set"),
            (1_700_000_000, "is in seconds and must be in milliseconds"),
            (Self.now.milliseconds / 1_000 - 31 * 86_400, "is in seconds and must be in milliseconds"),
            (Self.now.milliseconds / 1_000 + 2 * 86_400, "is in seconds and must be in milliseconds"),
            (Self.now.milliseconds * 1_000, "is in microseconds and must be in milliseconds"),
            (Self.now.milliseconds * 1_000_000, "is in nanoseconds and must be in milliseconds"),
            (-Self.now.milliseconds, "must not be older than the retention period"),
            (Self.now.milliseconds - 31 * 86_400_000, "must not be older than the retention period"),
            (Self.now.milliseconds + 2 * 86_400_000, "must not be more than 24 h ahead"),
            (253_402_300_799_999, "must not be more than 24 h ahead"),
        ] as [(Int64, String)]
    )
    func wrongClocks(milliseconds: Int64, rule: String) {
        let fault = FixGate.timeFault(
            takenAt: Timestamp(milliseconds: milliseconds),
            receivedAt: Self.now,
            retention: 30 * 86_400_000
        )
        #expect(fault == "at \(rule).")
    }

    @Test(
        "the poles, the date line and the equator are places",
        arguments: [(90.0, 0.0), (-90, 180), (0, -180), (0, 1)]
    )
    func edges(latitude: Double, longitude: Double) {
        var gate = FixGate(acknowledged: 0)
        var fix = Self.fix(1)
        fix.coordinate = Coordinate(latitude: latitude, longitude: longitude)
        let evaluation = gate.evaluate(fix, receivedAt: Self.now, newestShown: nil, retention: Self.retention)
        #expect(Self.evaluated(evaluation) == .ok)
    }

    @Test("a resend is a duplicate even when it is late by now, and shows nothing")
    func duplicate() {
        var gate = FixGate(acknowledged: 4)
        let first = gate.evaluate(Self.fix(5), receivedAt: Self.now, newestShown: nil, retention: Self.retention)
        #expect(Self.evaluated(first) == .ok)
        for number: Int64 in [4, 5] {
            let again = gate.evaluate(
                Self.fix(number, age: 0, accuracy: 500),
                receivedAt: Self.now + 400_000,
                newestShown: nil,
                retention: Self.retention
            )
            guard case .evaluated(let fix) = again else { return #expect(Bool(false)) }
            #expect(fix.verdict == .duplicate && !fix.isShown && !fix.drivesGatherings)
        }
    }

    @Test("a malformed fix uses its number up, so that its resend is not stored either")
    func malformedNumber() {
        var gate = FixGate(acknowledged: 0)
        _ = gate.evaluate(
            Self.fix(1, age: -90_000_000),
            receivedAt: Self.now,
            newestShown: nil,
            retention: Self.retention
        )
        #expect(gate.highest == 1)
    }

    // MARK: Stationary

    @Test("a ping says that the person is still there")
    func ping() {
        var gate = FixGate(acknowledged: 0)
        var fix = Self.fix(1)
        fix.trigger = .ping
        guard
            case .evaluated(let evaluated) = gate.evaluate(
                fix,
                receivedAt: Self.now,
                newestShown: nil,
                retention: Self.retention
            )
        else { return #expect(Bool(false)) }
        #expect(evaluated.isStationary)
    }

    @Test("who stays within 100 m becomes stationary after 5 min, whatever they did before", arguments: [1, 10, 45])
    func stays(interval: Int64) {
        var detector = StationaryDetector()
        let cafe = Coordinate(latitude: 48.1, longitude: 11.5)
        // Walks to the place for 4 min at 1.4 m/s, then sits.
        for second in stride(from: Int64(-240), to: 0, by: Int(interval)) {
            let there = cafe.moved(Double(-second) * 1.4 + 120, bearing: 90)
            let isStationary = detector.accept(there, at: Self.now + second * 1000, trigger: .move)
            #expect(!isStationary)
        }
        var since: Int64?
        for second in stride(from: Int64(0), through: 400, by: Int(interval)) {
            let place = cafe.moved(15, bearing: Double(second * 37 % 360))
            if detector.accept(place, at: Self.now + second * 1000, trigger: nil) { since = since ?? second }
        }
        #expect(since.map { 300...345 ~= $0 } == true)
    }

    @Test("who leaves is stationary no more with the first fix away")
    func leaves() {
        var detector = StationaryDetector()
        let cafe = Coordinate(latitude: 48.1, longitude: 11.5)
        for minute in 0...20 { _ = detector.accept(cafe, at: Self.now + Int64(minute) * 60_000, trigger: nil) }
        #expect(detector.isStationary)
        let isStationary = detector.accept(cafe.moved(101, bearing: 10), at: Self.now + 21 * 60_000, trigger: .move)
        #expect(!isStationary)
        #expect(!detector.isStationary)
    }

    @Test("two fixes 20 min apart in one place do not prove that nobody moved in between")
    func gap() {
        var detector = StationaryDetector()
        let cafe = Coordinate(latitude: 48.1, longitude: 11.5)
        let moments = [Self.now, Self.now + 20 * 60_000]
        #expect(moments.map { detector.accept(cafe, at: $0, trigger: nil) } == [false, false])
    }

    // MARK: Freshness

    @Test("freshness turns exactly when it says it will", arguments: [true, false])
    func freshness(isStationary: Bool) {
        var now = Self.now
        var seen: [Freshness] = []
        while let next = Freshness.nextChange(of: Self.now, isStationary: isStationary, after: now) {
            let before = Freshness(of: Self.now, isStationary: isStationary, at: next - 1)
            seen.append(before)
            #expect(Freshness(of: Self.now, isStationary: isStationary, at: next) != before)
            now = next
        }
        #expect(seen == (isStationary ? [.live, .recent] : [.live]))
        #expect(now - Self.now == (isStationary ? 2_700_001 : 300_001))
    }

    // MARK: Support

    static func fix(_ sequence: Int64, age: Int64 = 0, accuracy: Float? = 8) -> Fix {
        Fix(
            sequence: sequence,
            at: self.now - age,
            coordinate: Coordinate(latitude: 40.7, longitude: -74),
            accuracy: accuracy
        )
    }

    static func evaluated(_ evaluation: FixEvaluation) -> FixVerdict? {
        guard case .evaluated(let fix) = evaluation else { return nil }
        return fix.verdict
    }
}
