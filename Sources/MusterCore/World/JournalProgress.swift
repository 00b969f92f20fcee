/// The progress of the journal, and the waiters for its records.
struct JournalProgress {
    /// A party that must be notified when a record is durable.
    enum Waiter {
        /// A device, which was in slot `hint` when the record was written.
        case fix(DeviceID, hint: UInt32)
        /// The recipient of a notification.
        case notification(UserID)
        /// A user who went offline. Offline notifications depend on the stored presence, so they must wait for this
        /// record.
        case departure(UserID)
    }

    /// A record with a waiter.
    struct Waiting {
        let record: Int64
        let waiter: Waiter
    }

    /// The number of the last record; 0 before the first.
    private(set) var last: Int64 = 0
    /// Every record up to this one is durable or was refused.
    private(set) var committed: Int64 = 0
    /// The number of records in the last commit.
    private var lastCommit: Int64 = 0
    // A queue by record number; the elements before `head` are done.
    private var waiting: [Waiting] = []
    private var head = 0

    /// The number of records that are not durable yet.
    var backlog: Int64 { self.last - self.committed }

    /// The load of storage: the number of records in the current backlog or the last commit, whichever is larger.
    ///
    /// The backlog alone is small for a moment after each commit, even under load.
    var load: Int64 { max(self.backlog, self.lastCommit) }

    /// The number of pending records that have a waiter.
    var waitingCount: Int { self.waiting.count - self.head }

    /// Assigns a number to the next record.
    mutating func number(_ waiter: Waiter? = nil) -> Int64 {
        self.last += 1
        if let waiter { self.waiting.append(Waiting(record: self.last, waiter: waiter)) }
        return self.last
    }

    /// Marks records as durable; false when they were already.
    mutating func commit(through record: Int64) -> Bool {
        guard record > self.committed else { return false }
        let before = self.committed
        self.committed = min(record, self.last)
        self.lastCommit = self.committed - before
        return true
    }

    /// Removes and returns the next waiter whose record is committed.
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
