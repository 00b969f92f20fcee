// A hashed timing wheel (Varghese and Lauck, 1987, scheme 6).
//
// Time is divided into ticks of `resolution` milliseconds. A deadline is stored in slot (tick mod slots) together with
// its tick, which counts from the wheel's start. 32 bits of 50 ms last for six years, and an entry with a token of ten
// bytes takes 16 bytes. Scheduling is an append. Advancing the wheel visits only the slots that have passed. Entries
// are never removed early: the receiver of a token checks its own state whether the deadline still applies.
//
// Invariants
// - A token is returned once for each time it was scheduled, at the first `advance` whose `now` is at or past its
//   deadline (rounded up to the resolution).
// - Tokens of one slot are returned in the order in which they were scheduled.

/// A set of deadlines with constant-time scheduling, for the many timers of one thread.
package struct TimerWheel<Token> {
    private struct Entry {
        let token: Token
        let tick: UInt32
    }

    private let resolution: Int64
    private var slots: [[Entry]]
    private let start: Int64
    /// The last tick that has passed since the start.
    private var cursor: Int64 = 0

    /// The number of pending deadlines.
    package private(set) var count = 0

    /// Creates a wheel that starts at `now`.
    ///
    /// - Parameters:
    ///   - now: milliseconds, on the clock that all later calls use.
    ///   - resolution: milliseconds a slot; deadlines fire up to this much late.
    ///   - slotCount: slots of a full revolution; a deadline further away costs one check a revolution.
    package init(now: Int64, resolution: Int64 = 50, slotCount: Int = 1024) {
        precondition(resolution > 0 && slotCount > 0, "a timer wheel needs slots")
        self.resolution = resolution
        self.slots = Array(repeating: [], count: slotCount)
        self.start = now / resolution
    }

    /// Schedules `token` for `deadline` (milliseconds).
    package mutating func schedule(_ token: Token, at deadline: Int64) {
        let tick = max(self.tick(of: deadline), self.cursor + 1)
        self.slots[Int(tick % Int64(self.slots.count))].append(Entry(token: token, tick: UInt32(tick)))
        self.count += 1
    }

    /// Advances the wheel to `now` and appends every token whose deadline has passed to `expired`.
    package mutating func advance(to now: Int64, into expired: inout [Token]) {
        let target = now / self.resolution - self.start
        guard target > self.cursor else { return }
        let turns = min(target - self.cursor, Int64(self.slots.count))
        for step in 1...turns {
            let index = Int((self.cursor + step) % Int64(self.slots.count))
            guard !self.slots[index].isEmpty else { continue }
            let before = self.slots[index].count
            self.slots[index].removeAll { entry in
                guard entry.tick <= target else { return false }
                expired.append(entry.token)
                return true
            }
            self.count -= before - self.slots[index].count
            // A slot is used once a revolution; the unused capacity of a thousand slots would be most of the wheel's
            // memory.
            if self.slots[index].isEmpty { self.slots[index] = [] }
        }
        self.cursor = target
    }

    private func tick(of deadline: Int64) -> Int64 {
        (deadline + self.resolution - 1) / self.resolution - self.start
    }
}
