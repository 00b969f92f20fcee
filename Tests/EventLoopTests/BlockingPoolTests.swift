import MusterTestSupport
import Synchronization
import Testing

@testable import EventLoop

@Suite("Blocking work")
struct BlockingPoolTests {
    /// Blocks threads until it is opened.
    private final class Gate: Sendable {
        private let isOpen = Mutex(false)
        private let entered = Mutex(0)

        var count: Int { self.entered.withLock { $0 } }
        func open() { self.isOpen.withLock { $0 = true } }

        func pass() {
            self.entered.withLock { $0 += 1 }
            let pause = WakeSignal()
            while !self.isOpen.withLock({ $0 }) { pause.wait(timeoutMilliseconds: 1) }
        }
    }

    private struct Refusal: Error, Equatable {}

    @Test("what was asked for is done, on a thread that may block, and errors come back")
    func results() async throws {
        let pool = BlockingPool()
        #expect(await pool.job { 6 * 7 } == 42)
        #expect(await pool.step { () throws(Never) in "done" } == "done")
        await #expect(throws: Refusal.self) { try await pool.step { () throws(Refusal) -> Int in throw Refusal() } }
        #expect(pool.load == BlockingPool.Load(running: 0, waiting: 0, finished: 3, refused: 0))
    }

    @Test("beyond the limit jobs are refused at once, and a smaller share is refused earlier")
    func limit() async throws {
        let pool = BlockingPool(threads: 3, limit: 4)
        let gate = Gate()
        let jobs = (0..<2).map { _ in Task { await pool.job(share: 0.5) { gate.pass() } != nil } }
        try await self.wait { gate.count == 2 }
        #expect(await pool.job(share: 0.5) { true } == nil)
        let late = (0..<2).map { _ in Task { await pool.job { gate.pass() } != nil } }
        try await self.wait { pool.load.waiting == 2 }
        #expect(await pool.job { true } == nil)
        #expect(pool.load == BlockingPool.Load(running: 2, waiting: 2, finished: 0, refused: 2))
        gate.open()
        for job in jobs + late { #expect(await job.value) }
        try await self.wait { pool.load.finished == 4 }
        #expect(await pool.job { true } == true)
    }

    @Test("the program's own steps find a thread while jobs block all that they may")
    func steps() async throws {
        let pool = BlockingPool(threads: 2, limit: 8)
        let gate = Gate()
        let jobs = (0..<3).map { _ in Task { await pool.job { gate.pass() } != nil } }
        try await self.wait { gate.count == 1 && pool.load.waiting == 2 }
        #expect(await pool.step { () throws(Never) in true })
        #expect(gate.count == 1, "two jobs ran at once")
        gate.open()
        for job in jobs { #expect(await job.value) }
    }

    @Test("a pool that closes does what is under way and refuses the rest")
    func close() async throws {
        let pool = BlockingPool(threads: 2, limit: 8)
        let gate = Gate()
        let running = Task { await pool.job { gate.pass() } != nil }
        try await self.wait { gate.count == 1 }
        let waiting = Task { await pool.job { true } }
        try await self.wait { pool.load.waiting == 1 }
        let closing = Task { try await onWorkerThread { pool.close() } }
        #expect(await waiting.value == nil)
        gate.open()
        #expect(await running.value)
        try await closing.value
        #expect(await pool.job { true } == nil)
    }

    private func wait(_ holds: @escaping @Sendable () -> Bool) async throws {
        #expect(try await onWorkerThread { eventually(holds) })
    }
}
