import EventLoop
import Foundation
import Synchronization
import Testing

@Suite("Worker thread")
struct WorkerThreadTests {
    @Test("join waits for the end of the body")
    func join() {
        let signal = WakeSignal()
        let isDone = Box(false)
        let thread = WorkerThread(name: "test-worker") {
            signal.wait(timeoutMilliseconds: 5000)
            isDone.value.withLock { $0 = true }
        }
        #expect(!isDone.value.withLock { $0 })
        signal.raise()
        thread.join()
        #expect(isDone.value.withLock { $0 })
    }

    private final class Box<Value: Sendable>: Sendable {
        let value: Mutex<Value>
        init(_ value: Value) { self.value = Mutex(value) }
    }

    @Test("runs on the processor that it is given")
    func processor() throws {
        let last = try #require(Processors.usable.last)
        let status = Box(Data?.none)
        WorkerThread(name: "bound", processor: last) {
            status.value.withLock { $0 = FileManager.default.contents(atPath: "/proc/thread-self/status") }
        }.join()
        let text = String(decoding: try #require(status.value.withLock { $0 }), as: UTF8.self)
        #expect(text.contains("Cpus_allowed_list:\t\(last)\n"))
    }

    /// The niceness of the calling thread.
    private static var niceness: Int32 { getpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0) }

    @Test("goes before others where it may, and what it starts does not")
    func urgency() {
        let niceness = Box<[Int32]>([])
        let mayPrefer = Box(false)
        WorkerThread(name: "asking") {
            mayPrefer.value.withLock { $0 = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, -10) == 0 }
        }.join()
        WorkerThread(name: "preferred", urgency: .preferred) {
            let own = Self.niceness
            WorkerThread(name: "started") { niceness.value.withLock { $0 = [own, Self.niceness] } }.join()
        }.join()
        let ordinary = Self.niceness
        let preferred = mayPrefer.value.withLock { $0 } ? -10 : ordinary
        #expect(niceness.value.withLock { $0 } == [preferred, ordinary])
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

    @Test("a wait until a moment that has passed ends at once")
    func overdueWait() {
        let signal = WakeSignal()
        let rescue = WakeSignal()
        let rescuer = WorkerThread(name: "rescuer") {
            rescue.wait(timeoutMilliseconds: 5000)
            signal.raise()
        }
        let clock = MonotonicClock.system
        let start = clock.milliseconds
        signal.wait(timeoutMilliseconds: -2)
        #expect(clock.milliseconds - start < 4000)
        rescue.raise()
        rescuer.join()
    }
}
