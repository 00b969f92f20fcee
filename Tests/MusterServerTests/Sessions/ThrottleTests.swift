import Testing

@testable import MusterServer

@Suite struct ThrottleTests {
    @Test("a client within the rate is never slowed")
    func obedient() {
        var throttle = Throttle(rate: 10, burst: 400, now: 0)
        for second in 0..<600 as Range<Int64> { #expect(throttle.receive(10, now: second * 1000) == .none) }
    }

    @Test("a phone that sends a backlog once is slowed, and neither told off nor closed")
    func backlog() {
        var throttle = Throttle(rate: 10, burst: 400, now: 0)
        var now: Int64 = 0
        for _ in 0..<10 {
            switch throttle.receive(200, now: now) {
            case .none: now += 1
            case .pause(let milliseconds): now += milliseconds
            case .warn, .close: Issue.record("told off after \(now) ms")
            }
            guard now < 60_000 else { break }
        }
        // After a quiet period the count starts again.
        now += 60_000
        #expect(throttle.receive(400, now: now) == .none)
        #expect(throttle.receive(10, now: now) == .pause(milliseconds: 1000))
    }

    @Test("one that keeps it up is told after a minute, once, and closed after another")
    func stubborn() {
        var throttle = Throttle(rate: 10, burst: 10, now: 0)
        var warnings: [Int64] = []
        for now in stride(from: 0, through: 119_000, by: 500) as StrideThrough<Int64> {
            switch throttle.receive(10, now: now) {
            case .warn: warnings.append(now)
            case .close: Issue.record("closed after \(now) ms")
            case .none, .pause: break
            }
        }
        #expect(warnings.count == 1)
        #expect((60_000...61_000).contains(warnings.first ?? 0))
        #expect(throttle.receive(10, now: 121_000) == .close)
    }
}
