// What ends a login or an account reaches the world on another way than who comes by it: a `hello` that the directory
// accepted just before may arrive just after; so may a spot that is added while it is deleted already. So the world
// remembers for a while what ended; by then every answer that the directory gave before has arrived.

/// The logins, accounts and spots that ended a moment ago.
struct RecentEnds {
    /// What ended.
    enum Subject: Hashable {
        case login(LoginID)
        case user(UserID)
        case spot(SpotID)
    }

    /// How long one is remembered, in milliseconds.
    static let lasts: Int64 = 120_000
    /// The most that are remembered; of more, the oldest are forgotten early.
    static let capacity = 16_384

    private var subjects: Set<Subject> = []
    /// The same, oldest first; those before `head` are forgotten.
    private var order: [(subject: Subject, at: Timestamp)] = []
    private var head = 0

    /// How many are remembered.
    var count: Int { self.subjects.count }

    /// Remembers one.
    mutating func insert(_ subject: Subject, at now: Timestamp) {
        self.forget(before: now - Self.lasts)
        guard self.subjects.insert(subject).inserted else { return }
        self.order.append((subject, now))
        if self.subjects.count > Self.capacity { self.forgetFirst() }
    }

    /// Whether one ended lately.
    func contains(_ subject: Subject) -> Bool { self.subjects.contains(subject) }

    private mutating func forget(before end: Timestamp) {
        while self.head < self.order.count, self.order[self.head].at < end { self.forgetFirst() }
    }

    private mutating func forgetFirst() {
        self.subjects.remove(self.order[self.head].subject)
        self.head += 1
        guard 2 * self.head > self.order.count else { return }
        self.order.removeFirst(self.head)
        self.head = 0
    }
}
