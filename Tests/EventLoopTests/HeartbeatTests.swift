import Synchronization
import Testing

@testable import EventLoop

@Suite("Heartbeats")
struct HeartbeatTests {
    /// The last mark of a loop, whether it has input, and the seconds without another mark after which it counts as
    /// stalled.
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var hasInput = false
        let mark: @Sendable (Heartbeat) -> Void
        let stallsAfter: Int64?
    }

    static let rows = [
        Row(testDescription: "idle without input", mark: { $0.end() }, stallsAfter: nil),
        Row(testDescription: "idle beside input", hasInput: true, mark: { $0.end() }, stallsAfter: 10),
        Row(testDescription: "never begun, beside input", hasInput: true, mark: { _ in }, stallsAfter: 10),
        Row(testDescription: "inside an iteration", mark: { $0.begin() }, stallsAfter: 10),
        Row(testDescription: "waits for another process", hasInput: true, mark: { $0.wait() }, stallsAfter: 60),
    ]

    @Test("a loop has stalled when its mark stays what it is for too long", arguments: rows)
    func timeout(_ row: Row) {
        let heartbeat = Heartbeat("loop", hasInput: { row.hasInput })
        row.mark(heartbeat)
        var monitor = Heartbeat.Monitor(heartbeat)
        let stalledAt = (1...100).first { _ in monitor.look(after: 1000) }
        #expect(stalledAt.map { Int64($0) } == row.stallsAfter)
        #expect(heartbeat.isStalled == (row.stallsAfter != nil))
    }

    @Test("any mark is progress, and ends a stall", arguments: rows)
    func progress(_ row: Row) {
        let heartbeat = Heartbeat("loop", hasInput: { row.hasInput })
        var monitor = Heartbeat.Monitor(heartbeat)
        for _ in 0..<100 {
            heartbeat.begin()
            row.mark(heartbeat)
            let hasStalled = monitor.look(after: 9_000)
            #expect(!hasStalled)
        }
        while row.stallsAfter != nil, !monitor.look(after: 1000) {}
        heartbeat.begin()
        let hasStalled = monitor.look(after: 9_000)
        #expect(!hasStalled)
        #expect(!heartbeat.isStalled)
    }

    @Test("input that is taken in time is no stall, however often there is some")
    func inputAgain() {
        let input = SharedInput()
        let heartbeat = Heartbeat("loop", hasInput: { input.isThere.load(ordering: .relaxed) })
        var monitor = Heartbeat.Monitor(heartbeat)
        for second in 0..<100 {
            input.isThere.store(second % 8 != 0, ordering: .relaxed)
            let hasStalled = monitor.look(after: 1000)
            #expect(!hasStalled)
        }
    }
}

/// Whether there is input.
private final class SharedInput: Sendable {
    let isThere = Atomic(false)
}
