// A user sends `hello`, and storage is queried for their notifications. A moment later a transaction assigns them a
// number and informs the world, which has not loaded the user yet. Then the session arrives with the older stored
// state. So the world remembers for a while the numbers assigned to users who are not loaded.

/// The highest notification numbers recently assigned to users who are not loaded.
struct RecentNumbers {
    /// The time for which a number is remembered, in milliseconds; no `hello` takes longer.
    static let lasts: Int64 = 120_000
    /// The maximum number of users; beyond it, the oldest are forgotten early.
    static let capacity = 16_384

    private var numbers: [UserID: (number: Int64, at: Timestamp)] = [:]
    /// The users in the order of their numbers, oldest first.
    private var order = WorkQueue<(user: UserID, at: Timestamp)>()

    /// The number of remembered users.
    var count: Int { self.numbers.count }

    /// Records a number assigned to a user.
    mutating func note(_ number: Int64, of user: UserID, at now: Timestamp) {
        self.forget(before: now - Self.lasts)
        self.numbers[user] = (max(number, self.numbers[user]?.number ?? 0), now)
        self.order.append((user, now))
        while self.order.count > Self.capacity { self.forgetFirst() }
    }

    /// Removes a user who becomes loaded.
    ///
    /// - Returns: the user's highest number, when one was assigned recently.
    mutating func remove(_ user: UserID) -> Int64? {
        guard !self.numbers.isEmpty else { return nil }
        return self.numbers.removeValue(forKey: user)?.number
    }

    private mutating func forget(before end: Timestamp) {
        while let oldest = self.order.first, oldest.at < end { self.forgetFirst() }
    }

    private mutating func forgetFirst() {
        guard let (user, at) = self.order.popFirst(), self.numbers[user]?.at == at else { return }
        self.numbers[user] = nil
    }
}
