import EventLoop
import MusterTestSupport
import Synchronization
import Testing

@testable import MusterServer

@Suite struct SingleFlightTests {
    /// A gate at which work waits.
    private final class Gate: Sendable {
        private let state = Mutex<(isOpen: Bool, waiting: [CheckedContinuation<Void, Never>])>((false, []))

        func pass() async {
            await withCheckedContinuation { continuation in
                let isOpen = self.state.withLock { state in
                    if !state.isOpen { state.waiting.append(continuation) }
                    return state.isOpen
                }
                if isOpen { continuation.resume() }
            }
        }

        func open() {
            let waiting = self.state.withLock { state in
                state.isOpen = true
                return state.waiting
            }
            for continuation in waiting { continuation.resume() }
        }
    }

    /// Counts executions of the work, each of which waits at a gate.
    private final class Work: Sendable {
        let gate = Gate()
        private let count = Atomic(0)

        func run() async -> Int {
            let number = self.count.wrappingAdd(1, ordering: .relaxed).newValue
            await self.gate.pass()
            return number
        }
    }

    /// Waits until `count` callers wait.
    private static func waiters(_ count: Int, of flights: SingleFlight<String, Int>) async {
        let deadline = MonotonicClock.system.milliseconds + 60_000
        while flights.waiterCount != count, MonotonicClock.system.milliseconds < deadline { await Task.yield() }
        #expect(flights.waiterCount == count)
    }

    @Test("what several want at once is done once; who cannot wait any longer goes without, and the work goes on")
    func shares() async {
        let flights = SingleFlight<String, Int>(clock: .system)
        let work = Work()
        let later = MonotonicClock.system.milliseconds + 60_000
        #expect(await flights.value(for: "a", by: 0) { await work.run() } == nil)
        let patient = (0..<20).map { _ in
            Task { await flights.value(for: "a", by: later) { await work.run() } }
        }
        await Self.waiters(20, of: flights)
        let hasty = Task { await flights.value(for: "a", by: later) { await work.run() } }
        await Self.waiters(21, of: flights)
        hasty.cancel()
        #expect(await hasty.value == nil)
        work.gate.open()
        for each in patient { #expect(await each.value == 1) }
        #expect(await flights.value(for: "b", by: later) { await work.run() } == 2, "another question is asked anew")
        #expect(await flights.value(for: "a", by: later) { await work.run() } == 3, "and what is over is no answer")
    }
}
