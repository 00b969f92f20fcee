// Time in the machine runs `lag` behind arrival. An observation that arrives at most `lag` after it was taken is due at
// its own time. So such observations are applied in the order in which they were taken, whatever the order of arrival.
//
// A later one is due at its arrival. If a newer late observation is already waiting, it is due no later than that one.
// So among late observations that wait at the same time, an older one is applied first.
//
// The queued entries lie between `head` and `tail`. Entries outside this range remain until they are overwritten,
// because an array whose length does not change costs less.
//
// Invariants: entries are sorted by (due, at, device, sequence); `deadline` and `lastDue` are those of the first and
// the last entry; `head` and `tail` are 0 if the queue is empty.

/// A queue that delays observations until they can be applied in order.
struct ObservationQueue: Sendable {
    /// A queued observation in 48 bytes: each fix writes, reads and writes back one of them.
    struct Entry: Sendable, Equatable {
        /// The position.
        let coordinate: Coordinate
        /// The time at which it was taken.
        let at: Timestamp
        /// The device that took it.
        let device: DeviceID
        /// The device's sequence number of the fix.
        let sequence: Int64
        // Negative, −0 included, if the member was stationary.
        private let accuracyInMetres: Float
        // The milliseconds from taking to applying, and the slot in the lowest byte. The gate accepts a delay of at
        // most five minutes; the bits suffice for four hours.
        private var waitAndSlot: UInt32

        private static let longestWait: Int64 = 1 << 24 - 1

        /// Creates an entry for the member of a slot.
        @inline(__always)
        init(_ observation: GatheringObservation, of slot: Int, due: Timestamp) {
            self.coordinate = observation.coordinate
            self.at = observation.at
            self.device = observation.device
            self.sequence = observation.sequence
            let accuracy = Float(observation.accuracy)
            self.accuracyInMetres = observation.isStationary ? -accuracy : accuracy
            self.waitAndSlot = UInt32(truncatingIfNeeded: slot)
            if due != observation.at { self.due = due }
        }

        /// The slot of the member.
        @inline(__always)
        var slot: Int { Int(self.waitAndSlot & 0xFF) }

        /// The moment at which it is applied.
        @inline(__always)
        var due: Timestamp {
            get { self.at + Int64(self.waitAndSlot >> 8) }
            set {
                let wait = min(max(newValue - self.at, 0), Self.longestWait)
                self.waitAndSlot = UInt32(wait) << 8 | self.waitAndSlot & 0xFF
            }
        }

        /// The observation.
        @inline(__always)
        var observation: GatheringObservation {
            GatheringObservation(
                device: self.device,
                sequence: self.sequence,
                at: self.at,
                coordinate: self.coordinate,
                accuracy: Double(abs(self.accuracyInMetres)),
                isStationary: self.accuracyInMetres.sign == .minus
            )
        }

        fileprivate var key: (Timestamp, Int64, Int64) { (self.at, self.device.rawValue, self.sequence) }
    }

    /// The entries; those from `head` to before `tail` are queued.
    private(set) var entries: ContiguousArray<Entry> = []
    private(set) var head = 0
    private(set) var tail = 0
    /// The moment at which the first entry is due; never if the queue is empty.
    private(set) var deadline = Timestamp.never
    // The moment at which the last entry is due, or the minimum if the queue is empty. Stored here, because the entries
    // may not be in the cache.
    private var lastDue = Timestamp(milliseconds: .min)

    /// Reserves capacity for entries.
    mutating func reserveCapacity(_ count: Int) { self.entries.reserveCapacity(count) }

    /// Enqueues an observation.
    @inline(__always)
    mutating func insert(_ observation: GatheringObservation, of slot: Int, receivedAt: Timestamp, lag: Int64) {
        let isTimely = receivedAt - observation.at <= lag
        let entry = Entry(observation, of: slot, due: observation.at)
        // The common case: observations arrive in order, or several at the same moment.
        if isTimely,
            observation.at > self.lastDue
                || observation.at == self.lastDue && !self.isBefore(entry, self.entries[self.tail - 1])
        {
            self.deadline = min(self.deadline, observation.at)
            self.lastDue = observation.at
            self.append(entry)
        } else {
            self.place(observation, of: slot, receivedAt: receivedAt, isTimely: isTimely)
        }
    }

    @inline(__always)
    private mutating func append(_ entry: Entry) {
        if self.tail < self.entries.count { self.entries[self.tail] = entry } else { self.entries.append(entry) }
        self.tail += 1
    }

    @inline(never)
    private mutating func place(
        _ observation: GatheringObservation,
        of slot: Int,
        receivedAt: Timestamp,
        isTimely: Bool
    ) {
        defer { self.noteBounds() }
        var entry = Entry(observation, of: slot, due: isTimely ? observation.at : receivedAt)
        if self.head == self.tail { return self.append(entry) }
        if !isTimely {
            for waiting in self.entries[self.head..<self.tail]
            where waiting.key > entry.key && waiting.due > waiting.at {
                entry.due = min(entry.due, waiting.due)
            }
        }
        var place = self.tail
        while place > self.head, self.isBefore(entry, self.entries[place - 1]) { place -= 1 }
        self.entries.insert(entry, at: place)
        self.tail += 1
    }

    /// Dequeues the next observation that is due by `instant`.
    mutating func popDue(by instant: Timestamp) -> Entry? {
        guard self.deadline <= instant else { return nil }
        let entry = self.entries[self.head]
        self.drop(before: self.head + 1)
        return entry
    }

    /// Removes all entries before an index.
    private mutating func drop(before next: Int) {
        self.head = next
        // Up to half of the array may be unused, so that each entry is moved at most once.
        if self.head > 64, 2 * self.head > self.tail {
            self.entries.removeFirst(self.head)
            self.tail -= self.head
            self.head = 0
        }
        self.noteBounds()
    }

    /// Removes the queued observations of a member.
    mutating func removeAll(of slot: Int) {
        let rest = self.entries[self.head..<self.tail].filter { $0.slot != slot }
        self.entries = ContiguousArray(rest)
        self.head = 0
        self.tail = rest.count
        self.noteBounds()
    }

    private mutating func noteBounds() {
        guard self.head < self.tail else {
            (self.head, self.tail) = (0, 0)
            self.deadline = .never
            self.lastDue = Timestamp(milliseconds: .min)
            return
        }
        self.deadline = self.entries[self.head].due
        self.lastDue = self.entries[self.tail - 1].due
    }

    private func isBefore(_ left: Entry, _ right: Entry) -> Bool {
        left.due != right.due ? left.due < right.due : left.key < right.key
    }
}
