import EventLoop
import Testing

@Suite("Timer wheel")
struct TimerWheelTests {
    @Test(
        "a deadline comes out once it has passed, not before",
        arguments: [1, 49, 50, 51, 1000, 51_200, 60_000, 500_000]
    )
    func firesOnTime(delay: Int64) {
        var wheel = TimerWheel<String>(now: 1_000_000, resolution: 50, slotCount: 1024)
        wheel.schedule("x", at: 1_000_000 + delay)
        var expired: [String] = []
        wheel.advance(to: 1_000_000 + delay - 1, into: &expired)
        #expect(expired.isEmpty)
        #expect(wheel.count == 1)
        wheel.advance(to: 1_000_000 + delay + 50, into: &expired)
        #expect(expired == ["x"])
        #expect(wheel.count == 0)
        wheel.advance(to: 2_000_000, into: &expired)
        #expect(expired == ["x"])
    }

    @Test("a deadline that has already passed comes out at the next slot")
    func pastDeadline() {
        var wheel = TimerWheel<Int>(now: 1000, resolution: 50)
        wheel.schedule(1, at: 500)
        var expired: [Int] = []
        wheel.advance(to: 1050, into: &expired)
        #expect(expired == [1])
    }

    @Test("a clock that stands still or jumps far loses nothing")
    func jumps() {
        var wheel = TimerWheel<Int>(now: 0, resolution: 10, slotCount: 8)
        for number in 1...100 { wheel.schedule(number, at: Int64(number * 7)) }
        var expired: [Int] = []
        wheel.advance(to: 0, into: &expired)
        wheel.advance(to: 0, into: &expired)
        #expect(expired.isEmpty)
        wheel.advance(to: 1_000_000, into: &expired)
        #expect(expired.sorted() == Array(1...100))
    }

    @Test("random schedules come out as a sorted list says", arguments: 1...10 as ClosedRange<UInt64>)
    func againstModel(seed: UInt64) {
        var random = Xorshift(state: seed)
        var wheel = TimerWheel<Int>(now: 0, resolution: 50, slotCount: 16)
        var model: [Int: Int64] = [:]
        var now: Int64 = 0
        for token in 0..<2000 {
            let deadline = now + Int64.random(in: -100...5000, using: &random)
            wheel.schedule(token, at: deadline)
            // A deadline in the past is due at once.
            model[token] = max(deadline, now)
            guard token % 3 == 0 else { continue }
            now += Int64.random(in: 0...200, using: &random)
            var expired: [Int] = []
            wheel.advance(to: now, into: &expired)
            for token in expired {
                let deadline = model.removeValue(forKey: token)
                #expect(deadline.map { $0 <= now } == true, "seed \(seed): too early or twice")
            }
            let overdue = model.values.filter { $0 + 100 <= now }
            #expect(overdue.isEmpty, "seed \(seed): \(overdue.count) forgotten at \(now)")
        }
        #expect(wheel.count == model.count)
    }
}

/// A small seeded generator (Marsaglia, 2003).
private struct Xorshift: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        self.state ^= self.state << 13
        self.state ^= self.state >> 7
        self.state ^= self.state << 17
        return self.state
    }
}
