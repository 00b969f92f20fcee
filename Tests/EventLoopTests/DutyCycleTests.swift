import EventLoop
import Testing

@Suite("Duty cycle")
struct DutyCycleTests {
    @Test("comes near the share that is worked, from sample to sample")
    func share() {
        var cycle = DutyCycle()
        cycle.sample(at: 0)
        #expect(cycle.share == 0)
        var time: Int64 = 0
        var shares: [Double] = []
        for _ in 0..<20 {
            time += 50_000_000
            cycle.add(10_000_000)
            cycle.add(10_000_000)
            cycle.sample(at: time)
            shares.append(cycle.share)
        }
        #expect(shares[0] == 0.1)
        #expect(shares == shares.sorted())
        #expect(abs(cycle.share - 0.4) < 0.01)
        for _ in 0..<20 {
            time += 50_000_000
            cycle.sample(at: time)
        }
        #expect(cycle.share < 0.01)
    }

    @Test("is never more than always, however late a sample is counted")
    func bounds() {
        var cycle = DutyCycle()
        cycle.sample(at: 0)
        cycle.add(9_000_000)
        cycle.sample(at: 1_000_000)
        #expect(cycle.share == 0.25)
        cycle.add(1)
        cycle.sample(at: 1_000_000)
        #expect(cycle.share == 0.25)
    }
}
