import Testing

@testable import MusterServer

@Suite struct CircuitBreakerTests {
    /// A breaker after enough failures to refuse the next request.
    private static func opened(at now: Int64 = 0, retryAfter: Int64? = nil) -> CircuitBreaker {
        var breaker = CircuitBreaker()
        for count in 1...CircuitBreaker.tolerance {
            let change = breaker.fail(.ordinary, now: now, retryAfter: retryAfter)
            #expect(change == (count == CircuitBreaker.tolerance ? .opened : .none))
        }
        return breaker
    }

    @Test("a success among failures keeps a server in use")
    func forgives() {
        var breaker = CircuitBreaker()
        for _ in 0..<10 {
            for _ in 0..<4 { _ = breaker.fail(.ordinary, now: 0, retryAfter: nil) }
            #expect(breaker.succeed(.ordinary) == .none)
        }
        #expect(breaker.admit(now: 0) == .ordinary)
    }

    @Test("five failures in a row open it for 30 s, or as long as the server asks for, up to 10 min")
    func opens() {
        var usual = Self.opened()
        #expect(usual.admit(now: 0) == .refused(30_000))
        #expect(usual.admit(now: 29_999) == .refused(1))
        var asked = Self.opened(retryAfter: 90_000)
        #expect(asked.admit(now: 0) == .refused(90_000))
        var greedy = Self.opened(retryAfter: 86_400_000)
        #expect(greedy.admit(now: 0) == .refused(600_000))
    }

    @Test("then one request tries, and each failure of it doubles the pause up to 10 min")
    func probes() {
        var breaker = Self.opened()
        var now: Int64 = 30_000
        for pause: Int64 in [60_000, 120_000, 240_000, 480_000, 600_000, 600_000] {
            #expect(breaker.admit(now: now) == .probe)
            #expect(breaker.admit(now: now) == .refused(30_000), "one at a time")
            #expect(breaker.fail(.probe, now: now, retryAfter: 1_000) == .opened)
            #expect(breaker.admit(now: now) == .refused(pause))
            now += pause
        }
        #expect(breaker.admit(now: now) == .probe)
        #expect(breaker.succeed(.probe) == .closed)
        #expect(breaker.admit(now: now) == .ordinary)
        #expect(breaker.failures == 0)
    }

    @Test("what began before it opened tells of an earlier time, and a request that was given up of nothing")
    func ignores() {
        var breaker = Self.opened()
        #expect(breaker.succeed(.ordinary) == .none)
        #expect(breaker.fail(.ordinary, now: 10_000, retryAfter: 500_000) == .none)
        #expect(breaker.admit(now: 10_000) == .refused(20_000))
        #expect(breaker.admit(now: 30_000) == .probe)
        breaker.abandon(.probe)
        #expect(breaker.admit(now: 30_000) == .probe)
    }
}
