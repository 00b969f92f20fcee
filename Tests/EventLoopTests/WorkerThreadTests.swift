import EventLoop
import Glibc
import Synchronization
import Testing

@Suite("Worker thread")
struct WorkerThreadTests {
    @Test("join waits for the end of the body")
    func join() {
        let signal = WakeSignal()
        let isDone = Mutex(false)
        let shared = Box(isDone: isDone)
        let thread = WorkerThread(name: "test-worker") {
            signal.wait(timeoutMilliseconds: 5000)
            shared.isDone.withLock { $0 = true }
        }
        #expect(!shared.isDone.withLock { $0 })
        signal.raise()
        thread.join()
        #expect(shared.isDone.withLock { $0 })
    }

    private final class Box: Sendable {
        let isDone: Mutex<Bool>
        init(isDone: consuming Mutex<Bool>) { self.isDone = isDone }
    }

    @Test("runs on the processor that it is given")
    func processor() throws {
        let last = try #require(Processors.usable.last)
        let shared = Seen(processor: Mutex(-1))
        WorkerThread(name: "bound", processor: last) { shared.processor.withLock { $0 = sched_getcpu() } }.join()
        #expect(shared.processor.withLock { $0 } == last)
    }

    private final class Seen: Sendable {
        let processor: Mutex<Int32>
        init(processor: consuming Mutex<Int32>) { self.processor = processor }
    }

    @Test("a wake signal that was raised before the wait is not lost, and is taken back by it")
    func wakeSignal() {
        let signal = WakeSignal()
        signal.raise()
        signal.raise()
        let clock = MonotonicClock.system
        let start = clock.milliseconds
        signal.wait(timeoutMilliseconds: 5000)
        #expect(clock.milliseconds - start < 4000)
        signal.wait(timeoutMilliseconds: 30)
        #expect(clock.milliseconds - start >= 29)
    }

    @Test("a loop-bound value is there on its own thread")
    func loopBound() {
        var bound = LoopBound([1])
        bound.value.append(2)
        #expect(bound.value == [1, 2])
    }

    @Test("a loop-bound value traps on another thread")
    func loopBoundElsewhere() async {
        await #expect(processExitsWith: .failure) {
            let bound = LoopBound(1)
            WorkerThread(name: "thief") { _ = bound.value }.join()
        }
    }
}
