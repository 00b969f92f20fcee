import Testing

@testable import MusterCore

@Suite("Teleports")
struct JumpGuardTests {
    static let cafe = GatheringScene.cafe

    /// A fix: the second, metres east of the café, and the expected verdict.
    struct Step: Sendable {
        var second: Double
        var metres: Double
        var verdict: FixVerdict
        /// Whether it confirms the pending fix.
        var confirms = false
        var accuracy: Float = 8
    }

    struct Row: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var steps: [Step]
    }

    @Test(
        "no single fix moves anyone, and two that agree do",
        arguments: [
            Row(
                testDescription: "a stray fix is held, and rejected by the next",
                steps: [
                    Step(second: 0, metres: 0, verdict: .ok),
                    Step(second: 10, metres: 50_000, verdict: .implausible),
                    Step(second: 20, metres: 10, verdict: .ok),
                    Step(second: 30, metres: 20, verdict: .ok),
                ]
            ),
            Row(
                testDescription: "after a flight the second fix confirms the first",
                steps: [
                    Step(second: 0, metres: 0, verdict: .ok),
                    Step(second: 3600, metres: 800_000, verdict: .implausible),
                    Step(second: 3610, metres: 800_100, verdict: .ok, confirms: true),
                    Step(second: 3620, metres: 800_200, verdict: .ok),
                ]
            ),
            Row(
                testDescription: "two strays in different places confirm nothing",
                steps: [
                    Step(second: 0, metres: 0, verdict: .ok),
                    Step(second: 10, metres: 50_000, verdict: .implausible),
                    Step(second: 20, metres: -50_000, verdict: .implausible),
                    Step(second: 30, metres: 5, verdict: .ok),
                ]
            ),
            Row(
                testDescription: "who could have come from either place was at the nearer",
                steps: [
                    Step(second: 0, metres: 0, verdict: .ok),
                    Step(second: 10, metres: 2000, verdict: .implausible),
                    Step(second: 100, metres: 20, verdict: .ok),
                ]
            ),
            Row(
                testDescription: "100 m/s is the limit, with both accuracies credited",
                steps: [
                    Step(second: 0, metres: 0, verdict: .ok),
                    Step(second: 10, metres: 1014, verdict: .ok),
                    Step(second: 20, metres: 2034, verdict: .implausible),
                ]
            ),
            Row(
                testDescription: "an inaccurate fix neither is a teleport nor confirms one",
                steps: [
                    Step(second: 0, metres: 0, verdict: .ok),
                    Step(second: 10, metres: 50_000, verdict: .implausible),
                    Step(second: 20, metres: 50_000, verdict: .inaccurate, accuracy: 500),
                    Step(second: 30, metres: 5, verdict: .ok),
                ]
            ),
        ]
    )
    func teleports(row: Row) {
        var gate = FixGate(acknowledged: 0)
        var shown: Timestamp?
        for (index, step) in row.steps.enumerated() {
            let now = GatheringScene.moment(step.second)
            let fix = Fix(
                sequence: Int64(index + 1),
                at: now,
                coordinate: Self.cafe.moved(step.metres, bearing: 90),
                accuracy: step.accuracy
            )
            let evaluation = gate.evaluate(fix, receivedAt: now, newestShown: shown, retention: FixGateTests.retention)
            guard case .evaluated(let evaluated) = evaluation else { return #expect(Bool(false), "\(evaluation)") }
            #expect(evaluated.verdict == step.verdict, "fix \(index + 1)")
            #expect((evaluated.confirmed?.fix.sequence == Int64(index)) == step.confirms, "fix \(index + 1)")
            let isUsed = step.verdict != .implausible
            #expect(
                evaluated.isShown == isUsed && evaluated.drivesGatherings == (isUsed && step.verdict != .inaccurate)
            )
            if evaluated.isShown { shown = evaluated.at }
        }
    }

    @Test("after a restart the last position that was shown still holds a stray fix back")
    func restart() {
        let now = GatheringScene.start
        let before = Fix(sequence: 7, at: now - 10_000, coordinate: Self.cafe, accuracy: 8)
        let position = StoredPosition(device: DeviceID(1), fix: before, isStationary: false)
        var gate = FixGate(acknowledged: 7, accepted: position)
        let stray = Fix(sequence: 8, at: now, coordinate: Self.cafe.moved(9000, bearing: 3), accuracy: 1.9)
        let evaluation = gate.evaluate(
            stray,
            receivedAt: now,
            newestShown: before.at,
            retention: FixGateTests.retention
        )
        #expect(FixGateTests.evaluated(evaluation) == .implausible)
    }

    @Test("one that storage could not take is held anew when it comes again")
    func rollBack() {
        var gate = FixGate(acknowledged: 0)
        let now = GatheringScene.start
        func evaluate(_ sequence: Int64, _ metres: Double, _ second: Int64) -> FixEvaluation {
            let fix = Fix(
                sequence: sequence,
                at: now + second * 1000,
                coordinate: Self.cafe.moved(metres, bearing: 3),
                accuracy: 5
            )
            return gate.evaluate(
                fix,
                receivedAt: now + second * 1000,
                newestShown: nil,
                retention: FixGateTests.retention
            )
        }
        _ = evaluate(1, 0, 0)
        _ = evaluate(2, 50_000, 10)
        gate.rollBack(to: 1)
        #expect(FixGateTests.evaluated(evaluate(2, 50_000, 10)) == .implausible)
        guard case .evaluated(let next) = evaluate(3, 50_000, 20) else { return #expect(Bool(false)) }
        #expect(next.confirmed?.fix.sequence == 2)
    }

    @Test(
        "one reading delivered twice confirms nothing, nor does the accepted one delivered again reject anything",
        arguments: [(10.9, 50_000.0), (9.9, 0)]
    )
    func deliveredAgain(second: Double, metres: Double) {
        var guardian = JumpGuard()
        func evaluate(_ second: Double, _ metres: Double) -> JumpGuard.Verdict {
            let fix = Fix(sequence: 1, coordinate: Self.cafe.moved(metres, bearing: 90), accuracy: 8)
            return guardian.evaluate(fix, at: GatheringScene.moment(second))
        }
        #expect(evaluate(9.1, 0) == .accepted(confirming: nil))
        #expect(evaluate(10, 50_000) == .implausible)
        #expect(evaluate(second, metres) == (metres == 0 ? .accepted(confirming: nil) : .implausible))
        guard case .accepted(let pendingFix?) = evaluate(11.2, 50_001) else {
            Issue.record("the second reading confirms the first")
            return
        }
        #expect(pendingFix.at == GatheringScene.moment(10))
    }
}
