import EventLoop
import Testing

@Suite("Pauses between turns")
struct PacerTests {
    private static let pacer = Pacer(share: 4, shortest: 1_000_000, longest: 50_000_000)

    @Test(
        "grow with what a turn costs, from none to the longest",
        arguments: [
            (cost: 30_000, elapsed: 20_000, pause: 0),
            (cost: 249_000, elapsed: 0, pause: 0),
            (cost: 500_000, elapsed: 100_000, pause: 1_900_000),
            (cost: 5_000_000, elapsed: 1_000_000, pause: 19_000_000),
            (cost: 40_000_000, elapsed: 0, pause: 50_000_000),
            (cost: 40_000_000, elapsed: 60_000_000, pause: 0),
        ] as [(cost: Int64, elapsed: Int64, pause: Int64)]
    )
    func pause(cost: Int64, elapsed: Int64, pause: Int64) {
        #expect(Self.pacer.pause(cost: cost, elapsed: elapsed) == pause)
    }

    @Test("last as long as they should")
    func rest() {
        let clock = MonotonicClock.system
        let start = clock.nanoseconds
        Self.pacer.rest(cost: 1_000_000, elapsed: 500_000)
        #expect(clock.nanoseconds - start >= 3_500_000)
    }
}
