// Storage numbers a person's notifications in the order of their commits. The world learns the numbers on several ways that
// overtake each other: from the journal, from transactions of the directory, and from what storage says at a `hello`.
//
// Invariants
// - All notifications up to `highest` are known here, or were seen, or are nothing for this person any more.
// - Above it nothing is kept but the highest number that is known to be given: the rest is read up from storage, which has it
//   whenever a higher number is known.

/// The notifications of one person that wait to be seen, of whatever kinds.
struct NotificationInbox {
    /// The most notifications kept in memory; older ones stay in storage, and come back from there.
    static let capacity = 200
    /// The most numbers that are remembered as seen one by one; to forget one costs a harmless repeat.
    static let seenCapacity = 256

    /// The number up to which all is known.
    private(set) var highest: Int64
    /// Waiting to be seen, by number.
    private(set) var unseen: [NumberedNotification] = []
    /// The highest number that is known to be given.
    private var highestGiven: Int64 = 0
    private var seenUpTo: Int64 = 0
    /// Seen one by one, above `seenUpTo`, in the order of seeing.
    private var seen: [Int64] = []
    /// What `highestGiven` was when storage was asked; 0 while it is not.
    private var readingFor: Int64 = 0

    /// Begins with what storage holds.
    init(lastNumber: Int64, unseen: [NumberedNotification]) {
        self.highest = lastNumber
        _ = self.merge(unseen, upTo: lastNumber)
    }

    /// Whether there are notifications above those that are known.
    var hasGap: Bool { self.highestGiven > self.highest }

    /// Takes over what storage holds up to a number; what was seen meanwhile stays away, and what it holds no more goes.
    ///
    /// - Returns: what was not known before, by number.
    mutating func merge(_ stored: [NumberedNotification], upTo last: Int64) -> [NumberedNotification] {
        let last = max(last, stored.map(\.number).max() ?? 0)
        let before = self.highest
        if !self.unseen.isEmpty {
            let numbers = Set(stored.map(\.number))
            self.unseen.removeAll { $0.number <= last && !numbers.contains($0.number) }
        }
        var news: [NumberedNotification] = []
        for notification in stored where !self.hasSeen(notification.number) {
            guard !self.unseen.contains(where: { $0.number == notification.number }) else { continue }
            self.unseen.append(notification)
            if notification.number > before { news.append(notification) }
        }
        self.unseen.sort { $0.number < $1.number }
        self.highest = max(before, last)
        self.bound()
        return news.sorted { $0.number < $1.number }
    }

    /// Takes in that a number was given, and what for; nil when that is nothing for this person any more.
    ///
    /// - Returns: whether it is the next one, which may be sent; what is known already may not, and what leaves a gap waits.
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

    /// Takes in that numbers up to this one are given.
    mutating func note(given number: Int64) { self.highestGiven = max(self.highestGiven, number) }

    /// Begins to fill the gap; false when there is none, or storage is being asked already.
    mutating func beginReading() -> Bool {
        guard self.hasGap, self.readingFor == 0 else { return false }
        self.readingFor = self.highestGiven
        return true
    }

    /// Notes that storage answered, and what it holds was merged; or that it could not.
    ///
    /// - Parameter last: the highest number that storage knows; nil when it could not answer.
    mutating func endReading(upTo last: Int64?) {
        // A number that was told before storage was asked, and that it does not know, will never be there.
        if let last, last < self.readingFor, self.highestGiven == self.readingFor { self.highestGiven = 0 }
        self.readingFor = 0
    }

    /// Marks notifications as seen, as far as they were ever given.
    ///
    /// - Returns: what storage is to be told, nil when that changes nothing; and which wait no more.
    mutating func see(_ what: SeenNotifications) -> (news: SeenNotifications?, gone: [Int64]) {
        switch what {
        case .upTo(let number):
            let upTo = min(number, self.highest)
            guard upTo > self.seenUpTo else { return (nil, []) }
            self.seenUpTo = upTo
            self.seen.removeAll { $0 <= upTo }
            return (.upTo(upTo), self.withdraw { $0.number <= upTo })
        case .numbers(let numbers):
            let highest = self.highest
            let news = Set(numbers).filter { $0 > 0 && $0 <= highest && !self.hasSeen($0) }
            guard !news.isEmpty else { return (nil, []) }
            self.seen += news.sorted()
            if self.seen.count > Self.seenCapacity { self.seen.removeFirst(self.seen.count - Self.seenCapacity) }
            return (.numbers(news.sorted()), self.withdraw { news.contains($0.number) })
        }
    }

    /// Drops what need not be seen any more.
    ///
    /// - Returns: the numbers that waited.
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
