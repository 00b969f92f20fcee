// Time in the machine runs `lag` behind arrival. An observation that arrives no later than that after it was taken is due
// at its own time, so such observations are applied in the order in which they were taken, whatever the order in which
// they came. One that arrives later is due at its arrival, or together with an older-to-newer neighbour: among the late
// ones, nothing is applied before what was taken earlier, if both are waiting.
//
// Those that wait lie between `head` and `tail`; what is behind stays where it is until it is written over, because an array
// that does not change its length costs less.
//
// Invariants: entries are sorted by (due, at, device, sequence); `deadline` and `lastDue` are those of the first and the last;
// `head` and `tail` are 0 when none waits.

/// Holds observations back until they can be applied in order.
struct ObservationQueue: Sendable {
    /// An observation that waits, in 48 bytes: each is written, read and written back to memory once a fix.
    struct Entry: Sendable, Equatable {
        /// Where.
        let coordinate: Coordinate
        /// When it was taken.
        let at: Timestamp
        /// The device that took it.
        let device: DeviceID
        /// The device's number for it.
        let sequence: Int64
        // Below zero, −0 included, for one who stayed where they were.
        private let accuracyInMetres: Float
        // How many milliseconds after it was taken it is applied, and in the lowest byte the slot. What the gate lets through
        // is five minutes late at most, and there is room for four hours.
        private var waitAndSlot: UInt32

        private static let longestWait: Int64 = 1 << 24 - 1

        /// An observation of the member with a slot, to be applied when it is due.
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

        /// The slot of the member whose it is.
        @inline(__always)
        var slot: Int { Int(self.waitAndSlot & 0xFF) }

        /// When it is applied.
        @inline(__always)
        var due: Timestamp {
            get { self.at + Int64(self.waitAndSlot >> 8) }
            set {
                let wait = min(max(newValue - self.at, 0), Self.longestWait)
                self.waitAndSlot = UInt32(wait) << 8 | self.waitAndSlot & 0xFF
            }
        }

        /// What was observed.
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

    /// Those that wait, from `head` to before `tail`.
    private(set) var entries: ContiguousArray<Entry> = []
    private(set) var head = 0
    private(set) var tail = 0
    /// When the first is due; never when none waits.
    private(set) var deadline = Timestamp.never
    // When the last is due, and before everything when none waits: here it is at hand when the entries are far away.
    private var lastDue = Timestamp(milliseconds: .min)

    /// Makes room for so many.
    mutating func reserveCapacity(_ count: Int) { self.entries.reserveCapacity(count) }

    /// Takes an observation in.
    @inline(__always)
    mutating func insert(_ observation: GatheringObservation, of slot: Int, receivedAt: Timestamp, lag: Int64) {
        let isTimely = receivedAt - observation.at <= lag
        let entry = Entry(observation, of: slot, due: observation.at)
        // Mostly they come in order, or several of one moment.
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

    /// The next observation that is due by `instant`.
    mutating func popDue(by instant: Timestamp) -> Entry? {
        guard self.deadline <= instant else { return nil }
        let entry = self.entries[self.head]
        self.drop(before: self.head + 1)
        return entry
    }

    /// Takes out all entries before one.
    mutating func drop(before next: Int) {
        self.head = next
        // Half of what is kept may be dead, so that each entry is moved once at most.
        if self.head > 64, 2 * self.head > self.tail {
            self.entries.removeFirst(self.head)
            self.tail -= self.head
            self.head = 0
        }
        self.noteBounds()
    }

    /// Drops what waits of a member.
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
