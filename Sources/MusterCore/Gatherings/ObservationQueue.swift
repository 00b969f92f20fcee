// Time in the machine runs `lag` behind arrival. An observation that arrives no later than that after it was taken is due
// at its own time, so such observations are applied in the order in which they were taken, whatever the order in which
// they came. One that arrives later is due at its arrival, or together with an older-to-newer neighbour: among the late
// ones, nothing is applied before what was taken earlier, if both are waiting.
//
// Invariants: entries are sorted by (due, at, device, sequence); `deadline` and `lastDue` are those of the first and the last.

/// Holds observations back until they can be applied in order.
struct ObservationQueue: Sendable {
    /// An observation that waits.
    struct Entry: Sendable, Equatable {
        /// When it is applied.
        var due: Timestamp
        /// What was observed.
        var observation: GatheringObservation
        /// The slot of the member whose it is.
        var slot: UInt8

        fileprivate var key: (Timestamp, Int64, Int64) {
            (self.observation.at, self.observation.device.rawValue, self.observation.sequence)
        }
    }

    /// Those that wait, from `head` on.
    private(set) var entries: ContiguousArray<Entry> = []
    private(set) var head = 0
    /// When the first is due; nil when none waits.
    private(set) var deadline: Timestamp?
    // When the last is due, if one waits: here it is at hand when the entries are far away.
    private var lastDue = Timestamp(milliseconds: 0)

    /// Makes room for so many.
    mutating func reserveCapacity(_ count: Int) { self.entries.reserveCapacity(count) }

    /// Takes an observation in.
    @inline(__always)
    mutating func insert(_ observation: GatheringObservation, of slot: Int, receivedAt: Timestamp, lag: Int64) {
        let isTimely = receivedAt - observation.at <= lag
        // Mostly they come in order.
        if isTimely, self.deadline != nil, observation.at > self.lastDue {
            self.lastDue = observation.at
            self.entries.append(Entry(due: observation.at, observation: observation, slot: UInt8(slot)))
        } else {
            self.place(observation, of: slot, receivedAt: receivedAt, isTimely: isTimely)
        }
    }

    @inline(never)
    private mutating func place(
        _ observation: GatheringObservation,
        of slot: Int,
        receivedAt: Timestamp,
        isTimely: Bool
    ) {
        defer { self.noteBounds() }
        var entry = Entry(due: isTimely ? observation.at : receivedAt, observation: observation, slot: UInt8(slot))
        if self.head == self.entries.count {
            self.entries.removeAll(keepingCapacity: true)
            self.head = 0
            self.entries.append(entry)
            return
        }
        if !isTimely {
            for waiting in self.entries[self.head...]
            where waiting.key > entry.key && waiting.due > waiting.observation.at {
                entry.due = min(entry.due, waiting.due)
            }
        }
        var place = self.entries.count
        while place > self.head, self.isBefore(entry, self.entries[place - 1]) { place -= 1 }
        self.entries.insert(entry, at: place)
    }

    /// The next observation that is due by `instant`.
    mutating func popDue(by instant: Timestamp) -> Entry? {
        guard let deadline = self.deadline, deadline <= instant else { return nil }
        let entry = self.entries[self.head]
        self.drop(before: self.head + 1)
        return entry
    }

    /// Takes out all entries before one.
    mutating func drop(before next: Int) {
        self.head = next
        // Half of what is kept may be dead, so that each entry is moved once at most.
        if self.head > 64, 2 * self.head > self.entries.count {
            self.entries.removeFirst(self.head)
            self.head = 0
        }
        self.noteBounds()
    }

    /// Drops what waits of a member.
    mutating func removeAll(of slot: Int) {
        self.entries.removeFirst(self.head)
        self.head = 0
        self.entries.removeAll { $0.slot == slot }
        self.noteBounds()
    }

    private mutating func noteBounds() {
        self.deadline = self.head < self.entries.count ? self.entries[self.head].due : nil
        self.lastDue = self.entries.last?.due ?? self.lastDue
    }

    private func isBefore(_ left: Entry, _ right: Entry) -> Bool {
        left.due != right.due ? left.due < right.due : left.key < right.key
    }
}
