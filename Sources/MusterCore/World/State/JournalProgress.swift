/// How far the journal is, and who waits for it.
struct JournalProgress {
    /// Who wants to know that a record is durable.
    enum Waiter {
        /// A device, which was in the slot `hint` when it was written.
        case fix(DeviceID, hint: UInt32)
        /// A person who is to be told.
        case notification(UserID)
        /// A person who went away: until storage knows that, what it decides by says that they are there.
        case departure(UserID)
    }

    /// A record that somebody waits for.
    struct Waiting {
        let record: Int64
        let waiter: Waiter
    }

    /// The number of the last record made; 0 before the first.
    private(set) var last: Int64 = 0
    /// Every record up to this one is durable, or was refused.
    private(set) var committed: Int64 = 0
    /// How many records became durable at a time, the last time.
    private var lastCommit: Int64 = 0
    // A queue by record number: what lies before `head` is done.
    private var waiting: [Waiting] = []
    private var head = 0

    /// How many records are not durable yet.
    var backlog: Int64 { self.last - self.committed }

    /// How busy storage is: how many records it has, or had, to make durable at a time.
    ///
    /// The backlog is small for a moment after each commit, however busy it is.
    var load: Int64 { max(self.backlog, self.lastCommit) }

    /// How many of the records that are not durable yet somebody waits for.
    var waitingCount: Int { self.waiting.count - self.head }

    /// Numbers the next record.
    mutating func number(_ waiter: Waiter? = nil) -> Int64 {
        self.last += 1
        if let waiter { self.waiting.append(Waiting(record: self.last, waiter: waiter)) }
        return self.last
    }

    /// Notes that records are durable; false when that is nothing new.
    mutating func commit(through record: Int64) -> Bool {
        guard record > self.committed else { return false }
        let before = self.committed
        self.committed = min(record, self.last)
        self.lastCommit = self.committed - before
        return true
    }

    /// Takes out the next waiter whose record is committed.
    mutating func popCommitted() -> Waiting? {
        guard self.head < self.waiting.count, self.waiting[self.head].record <= self.committed else { return nil }
        let next = self.waiting[self.head]
        self.head += 1
        if self.head > 1_024, self.head * 2 > self.waiting.count {
            self.waiting.removeFirst(self.head)
            self.head = 0
        }
        return next
    }
}
