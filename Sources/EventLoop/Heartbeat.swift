import Synchronization

// A loop marks its iterations by one relaxed store each; it reads no clock and takes no lock. A monitor reads the mark
// about once a second, and measures for how long the mark stays the same:
//
//   idle      waits for input; may last for ever, unless there is input
//   busy      is inside an iteration
//   waiting   inside an iteration, waits for another process, with a time limit
//
// Invariant: only one thread at a time marks.

/// The progress of a loop, as its monitor sees it.
package final class Heartbeat: Sendable {
    /// The phase that a loop is in.
    package enum Phase: UInt64, Sendable {
        case idle, busy, waiting
    }

    /// The name of the loop, as `/healthz`, the log and metrics show it.
    package let name: String
    private let hasInput: @Sendable () -> Bool
    /// The phase in the lowest two bits, and above them the number of changes.
    private let mark = Atomic<UInt64>(0)
    private let stalled = Atomic(false)

    /// Creates the heartbeat of a loop that is idle.
    ///
    /// - Parameters:
    ///   - name: the name of the loop.
    ///   - hasInput: whether input is pending while the loop is idle; called about once a second, on another thread.
    package init(_ name: String, hasInput: @escaping @Sendable () -> Bool = { false }) {
        self.name = name
        self.hasInput = hasInput
    }

    /// Marks the beginning of an iteration, or the end of a wait in it.
    package func begin() {
        self.enter(.busy)
        #if DEBUG
        LoopStall.wanted?.strike(self.name)
        #endif
    }

    /// Marks that the iteration waits for another process.
    package func wait() { self.enter(.waiting) }

    /// Marks the end of an iteration, or of the loop.
    package func end() { self.enter(.idle) }

    /// Whether the loop had stalled at the last check of its monitor.
    package var isStalled: Bool { self.stalled.load(ordering: .relaxed) }

    /// Not an atomic addition, because only one thread at a time marks.
    private func enter(_ phase: Phase) {
        let changes = self.mark.load(ordering: .relaxed) >> 2
        self.mark.store((changes &+ 1) << 2 | phase.rawValue, ordering: .relaxed)
    }
}

extension Heartbeat {
    /// The monitor of a heartbeat, confined to one thread.
    package struct Monitor: Sendable {
        /// Milliseconds that a loop may stay inside an iteration, or idle while input is pending.
        package static let timeout: Int64 = 10_000
        /// Milliseconds for which a loop may wait for another process.
        static let outsideTimeout: Int64 = 60_000

        /// The heartbeat.
        package let heartbeat: Heartbeat
        private var mark: UInt64
        private var unchanged: Int64 = 0

        /// Creates the monitor of `heartbeat`.
        package init(_ heartbeat: Heartbeat) {
            self.heartbeat = heartbeat
            self.mark = heartbeat.mark.load(ordering: .relaxed)
        }

        /// Checks the heartbeat and stores in it whether the loop has stalled.
        ///
        /// - Parameter elapsed: milliseconds since the last check.
        /// - Returns: whether the loop has stalled.
        package mutating func look(after elapsed: Int64) -> Bool {
            let mark = self.heartbeat.mark.load(ordering: .relaxed)
            let isStalled: Bool
            if mark != self.mark {
                self.mark = mark
                self.unchanged = 0
                isStalled = false
            } else {
                switch Phase(rawValue: mark & 3) {
                case .idle: self.unchanged = self.heartbeat.hasInput() ? self.unchanged + elapsed : 0
                case .busy, .waiting, nil: self.unchanged += elapsed
                }
                let isOutside = Phase(rawValue: mark & 3) == .waiting
                isStalled = self.unchanged >= (isOutside ? Self.outsideTimeout : Self.timeout)
            }
            self.heartbeat.stalled.store(isStalled, ordering: .relaxed)
            return isStalled
        }
    }
}
