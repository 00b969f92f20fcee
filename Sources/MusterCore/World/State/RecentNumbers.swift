// A person says `hello`, and storage is asked what waits for them; a moment later a transaction gives them a number and says
// so to the world, which does not hold them yet; then their session arrives with what storage said before. So the world
// remembers for a while which numbers people were given whom it does not hold.

/// The highest notification numbers that were given a moment ago to people whom the world does not hold.
struct RecentNumbers {
    /// How long one is remembered, in milliseconds; no `hello` is under way for longer.
    static let lasts: Int64 = 120_000
    /// The most people who are remembered; of more, the oldest are forgotten early.
    static let capacity = 16_384

    private var numbers: [UserID: (number: Int64, at: Timestamp)] = [:]
    /// Who was noted, oldest first; those before `head` are done with.
    private var order: [(user: UserID, at: Timestamp)] = []
    private var head = 0

    /// How many people are remembered.
    var count: Int { self.numbers.count }

    /// Remembers that a person was given a number.
    mutating func note(_ number: Int64, of user: UserID, at now: Timestamp) {
        self.forget(before: now - Self.lasts)
        self.numbers[user] = (max(number, self.numbers[user]?.number ?? 0), now)
        self.order.append((user, now))
        while self.order.count - self.head > Self.capacity { self.forgetFirst() }
    }

    /// Forgets a person, who is held from now on.
    ///
    /// - Returns: the highest number of theirs, when one was given lately.
    mutating func remove(_ user: UserID) -> Int64? {
        guard !self.numbers.isEmpty else { return nil }
        return self.numbers.removeValue(forKey: user)?.number
    }

    private mutating func forget(before end: Timestamp) {
        while self.head < self.order.count, self.order[self.head].at < end { self.forgetFirst() }
    }

    private mutating func forgetFirst() {
        let (user, at) = self.order[self.head]
        if self.numbers[user]?.at == at { self.numbers[user] = nil }
        self.head += 1
        guard 2 * self.head > self.order.count else { return }
        self.order.removeFirst(self.head)
        self.head = 0
    }
}
