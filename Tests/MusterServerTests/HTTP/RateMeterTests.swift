import MusterWire
import Testing

@testable import MusterServer

@Suite struct RateMeterTests {
    @Test("one who does too much waits, another does not, and what was refused is not counted")
    func rates() throws {
        let meter = RateMeter<String>(rate: 1, burst: 3)
        try meter.charge(3, to: "a", now: 0)
        let refusal = #expect(throws: FrameError.self) { try meter.charge(2, to: "a", now: 0) }
        #expect(refusal?.code == .rateLimited)
        #expect(refusal?.retryAfter == 2000)
        try meter.charge(3, to: "b", now: 0)
        try meter.charge(2, to: "a", now: 2000)
    }

    @Test("what was given back may be done again, and no more than fits is given back")
    func refunds() throws {
        let meter = RateMeter<String>(rate: 1, burst: 3)
        try meter.charge(3, to: "a", now: 0)
        meter.refund(1, to: "a")
        try meter.charge(1, to: "a", now: 0)
        #expect(throws: FrameError.self) { try meter.charge(1, to: "a", now: 0) }
        meter.refund(100, to: "a")
        #expect(throws: FrameError.self) { try meter.charge(4, to: "a", now: 0) }
        try meter.charge(3, to: "a", now: 0)
    }

    @Test("a crowd does not have those forgotten who have done too much")
    func crowds() throws {
        let meter = RateMeter<Int>(rate: 0.001, burst: 1, capacity: 100)
        for subject in 0..<99 { try meter.charge(1, to: subject, now: 0) }
        // By now these entries have refilled and are dropped.
        try meter.charge(1, to: 99, now: 5_000_000)
        try meter.charge(1, to: 100, now: 5_000_001)
        #expect(throws: FrameError.self) { try meter.charge(1, to: 99, now: 5_000_002) }
    }
}
