// Storage numbers a user's notifications in the order of their commits. The world learns the numbers on three paths
// that may overtake each other: the journal, directory transactions, and the stored state read at a `hello`.
//
// Invariants:
// - Every notification up to `highest` is known here, was seen, or is void for this user.
// - Above `highest`, only the highest assigned number is kept. The notifications in between are read from storage,
//   which has them whenever a higher number is known.

/// The unseen notifications of one user, of all kinds.
struct NotificationInbox {
    /// The maximum number of notifications in memory; older ones stay in storage and can be read again.
    static let capacity = 200
    /// The maximum number of single seen numbers that are remembered; a forgotten one causes only a harmless repeat.
    static let seenCapacity = 256

    /// The number up to which all notifications are known.
    private(set) var highest: Int64
    /// The unseen notifications, by number.
    private(set) var unseen: [NumberedNotification] = []
    /// The highest number known to be assigned.
    private var highestGiven: Int64 = 0
    private var seenUpTo: Int64 = 0
    /// Numbers seen one by one, above `seenUpTo`, in the order of seeing.
    private var seen: [Int64] = []
    /// The value of `highestGiven` when the current query began; 0 while there is none.
    private var readingFor: Int64 = 0

    /// Creates an inbox from the stored state.
    init(lastNumber: Int64, unseen: [NumberedNotification]) {
        self.highest = lastNumber
        _ = self.merge(unseen, upTo: lastNumber)
    }

    /// Whether notifications above the known ones exist.
    var hasGap: Bool { self.highestGiven > self.highest }

    /// Applies the stored notifications up to a number.
    ///
    /// Those seen meanwhile are skipped, and those no longer stored are removed.
    ///
    /// - Returns: the notifications that were unknown before, by number.
    mutating func merge(_ stored: [NumberedNotification], upTo last: Int64) -> [NumberedNotification] {
        let last = max(last, stored.map(\.number).max() ?? 0)
        let before = self.highest
        if !self.unseen.isEmpty {
            let numbers = Set(stored.map(\.number))
            self.unseen.removeAll { $0.number <= last && !numbers.contains($0.number) }
        }
        var added: [NumberedNotification] = []
        for notification in stored where !self.hasSeen(notification.number) {
            guard !self.unseen.contains(where: { $0.number == notification.number }) else { continue }
            self.unseen.append(notification)
            if notification.number > before { added.append(notification) }
        }
        self.unseen.sort { $0.number < $1.number }
        self.highest = max(before, last)
        self.bound()
        return added.sorted { $0.number < $1.number }
    }

    /// Applies an assigned number and its notification; nil when it is void for this user.
    ///
    /// - Returns: whether it is the next number, so that it may be sent. A known number is ignored, and one after a gap
    ///   waits.
    mutating func receive(_ number: Int64, _ notification: NumberedNotification?) -> Bool {
        guard number > self.highest else { return false }
        guard !self.hasGap, number == self.highest + 1 else {
            self.highestGiven = max(self.highestGiven, number)
            return false
        }
        self.highest = number
        guard let notification else { return false }
        self.unseen.append(notification)
        self.bound()
        return true
    }

    /// Records that numbers up to this one are assigned.
    mutating func note(given number: Int64) { self.highestGiven = max(self.highestGiven, number) }

    /// Begins a query that fills the gap; false when there is no gap or a query is under way.
    mutating func beginReading() -> Bool {
        guard self.hasGap, self.readingFor == 0 else { return false }
        self.readingFor = self.highestGiven
        return true
    }

    /// Ends a query, after its answer was merged or after it failed.
    ///
    /// - Parameter last: the highest number known to storage; nil when the query failed.
    mutating func endReading(upTo last: Int64?) {
        // A number that was announced before the query, but is unknown to storage, will never exist.
        if let last, last < self.readingFor, self.highestGiven == self.readingFor { self.highestGiven = 0 }
        self.readingFor = 0
    }

    /// Marks notifications as seen, limited to assigned numbers.
    ///
    /// - Returns: the change to write to storage, nil when there is none; and the numbers that are no longer unseen.
    mutating func see(_ what: SeenNotifications) -> (added: SeenNotifications?, gone: [Int64]) {
        switch what {
        case .upTo(let number):
            let upTo = min(number, self.highest)
            guard upTo > self.seenUpTo else { return (nil, []) }
            self.seenUpTo = upTo
            self.seen.removeAll { $0 <= upTo }
            return (.upTo(upTo), self.withdraw { $0.number <= upTo })
        case .numbers(let numbers):
            let highest = self.highest
            let added = Set(numbers).filter { $0 > 0 && $0 <= highest && !self.hasSeen($0) }
            guard !added.isEmpty else { return (nil, []) }
            self.seen += added.sorted()
            if self.seen.count > Self.seenCapacity { self.seen.removeFirst(self.seen.count - Self.seenCapacity) }
            return (.numbers(added.sorted()), self.withdraw { added.contains($0.number) })
        }
    }

    /// Removes notifications that need not be seen any more.
    ///
    /// - Returns: the numbers of those that were unseen.
    mutating func withdraw(where isVoid: (NumberedNotification) -> Bool) -> [Int64] {
        guard self.unseen.contains(where: isVoid) else { return [] }
        let gone = self.unseen.filter(isVoid).map(\.number)
        self.unseen.removeAll(where: isVoid)
        return gone
    }

    private func hasSeen(_ number: Int64) -> Bool { number <= self.seenUpTo || self.seen.contains(number) }

    private mutating func bound() {
        if self.unseen.count > Self.capacity { self.unseen.removeFirst(self.unseen.count - Self.capacity) }
    }
}
