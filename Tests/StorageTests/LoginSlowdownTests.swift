import Testing

@testable import MusterServer

@Suite struct LoginSlowdownTests {
    private static let ada = LoginSlowdown.Subject.login(account: "ada", address: "10.0.0.1")

    @Test("the wait doubles with each failure up to five minutes, and a quiet quarter of an hour forgets")
    func doubles() {
        let slowdown = Guarded()
        var now: Int64 = 0
        var waits: [Int64] = []
        for _ in 0..<20 {
            while let wait = slowdown.begin([Self.ada], now: now) {
                waits.append(wait)
                now += wait
            }
        }
        #expect(
            waits == [1000, 2000, 4000, 8000, 16_000, 32_000, 64_000, 128_000, 256_000]
                + Array(repeating: 300_000, count: 6)
        )
        now += LoginSlowdown.memory + 1
        for _ in 0..<5 { #expect(slowdown.begin([Self.ada], now: now) == nil) }
        #expect(slowdown.begin([Self.ada], now: now) == 1000)
    }

    @Test("attempts under way count as failures, until they turn out otherwise")
    func pending() {
        let slowdown = Guarded()
        for _ in 0..<5 { #expect(slowdown.begin([Self.ada], now: 0) == nil) }
        #expect(slowdown.begin([Self.ada], now: 0) == 1000)
        slowdown.abandoned([Self.ada])
        #expect(slowdown.begin([Self.ada], now: 0) == nil)
        slowdown.succeeded([Self.ada])
        #expect(slowdown.begin([Self.ada], now: 0) == nil)
    }

    @Test("who tries from one place locks nobody out elsewhere, until all together reach the account's ceiling")
    func places() {
        let slowdown = Guarded()
        func begin(_ address: String) -> Int64? {
            slowdown.begin([.login(account: "ada", address: address), .account("ada")], now: 0)
        }
        for _ in 0..<5 { #expect(begin("10.0.0.1") == nil) }
        #expect(begin("10.0.0.1") == 1000)
        #expect(begin("10.0.0.2") == nil)
        for index in 3..<97 { #expect(begin("10.0.0.\(index)") == nil) }
        #expect(begin("10.0.0.97") == 1000)
        #expect(slowdown.begin([.login(account: "bo", address: "10.0.0.97"), .account("bo")], now: 0) == nil)
    }

    @Test("a flood of names does not push out the one under attack")
    func bounded() {
        let slowdown = Guarded(capacity: 100)
        for _ in 0..<5 { _ = slowdown.begin([Self.ada], now: 0) }
        for index in 0..<10_000 { _ = slowdown.begin([.login(account: "flood\(index)", address: nil)], now: 0) }
        #expect(slowdown.begin([Self.ada], now: 0) != nil)
    }
}

/// A reference to a slowdown, because an expectation cannot mutate a value.
private final class Guarded {
    private var slowdown: LoginSlowdown

    init(capacity: Int = 100_000) { self.slowdown = LoginSlowdown(capacity: capacity) }

    func begin(_ subjects: [LoginSlowdown.Subject], now: Int64) -> Int64? { self.slowdown.begin(subjects, now: now) }
    func succeeded(_ subjects: [LoginSlowdown.Subject]) { self.slowdown.succeeded(subjects) }
    func abandoned(_ subjects: [LoginSlowdown.Subject]) { self.slowdown.abandoned(subjects) }
}
