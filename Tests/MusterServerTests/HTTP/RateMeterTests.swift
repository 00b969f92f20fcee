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
}
