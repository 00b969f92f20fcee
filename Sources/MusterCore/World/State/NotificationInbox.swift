/// The alerts of one person that wait to be seen.
struct NotificationInbox {
    /// An alert and the record that stores it; 0 when it came from storage.
    struct Entry {
        var alert: LeftWithoutYou
        var record: Int64
    }

    /// The most alerts kept in memory; older ones stay in storage, and come back from there.
    static let capacity = 200

    /// The highest number ever given.
    private(set) var lastNumber: Int64
    /// Waiting to be seen, by number.
    private(set) var unseen: [Entry] = []
    private var seenUpTo: Int64 = 0

    /// Begins with what storage holds.
    init(lastNumber: Int64, unseen: [LeftWithoutYou]) {
        self.lastNumber = lastNumber
        self.merge(unseen, lastNotification: lastNumber)
    }

    /// Adds what storage holds and memory does not; what was seen in the meantime stays away.
    mutating func merge(_ stored: [LeftWithoutYou], lastNotification: Int64) {
        self.lastNumber = max(lastNotification, self.lastNumber, stored.map(\.notification).max() ?? 0)
        for alert in stored where alert.notification > self.seenUpTo {
            guard !self.unseen.contains(where: { $0.alert.notification == alert.notification }) else { continue }
            self.unseen.append(Entry(alert: alert, record: 0))
        }
        self.unseen.sort { $0.alert.notification < $1.alert.notification }
        self.bound()
    }

    /// The number of the next alert.
    mutating func nextNumber() -> Int64 {
        self.lastNumber += 1
        return self.lastNumber
    }

    /// Adds an alert that record `record` stores.
    mutating func append(_ alert: LeftWithoutYou, record: Int64) {
        self.unseen.append(Entry(alert: alert, record: record))
        self.bound()
    }

    /// Drops an alert that storage refused.
    mutating func drop(_ number: Int64) { self.unseen.removeAll { $0.alert.notification == number } }

    /// Marks alerts as seen, as far as they were ever given; false when that changes nothing.
    mutating func see(upTo number: Int64) -> Bool {
        let upTo = min(number, self.lastNumber)
        guard upTo > self.seenUpTo else { return false }
        self.seenUpTo = upTo
        self.unseen.removeAll { $0.alert.notification <= upTo }
        return true
    }

    private mutating func bound() {
        if self.unseen.count > Self.capacity { self.unseen.removeFirst(self.unseen.count - Self.capacity) }
    }
}
