// The end of a login or an account reaches the world on another path than its `hello`. A `hello` that the directory
// accepted just before may arrive just after; so may the addition of a spot that is deleted already. So the world
// remembers the ended ones for a while. By then every earlier answer of the directory has arrived.

/// Recently ended logins and accounts, and recently deleted spots.
struct RecentEnds {
    /// The ended object.
    enum Subject: Hashable {
        case login(LoginID)
        case user(UserID)
        case spot(SpotID)
    }

    /// The time for which an entry is remembered, in milliseconds.
    static let lasts: Int64 = 120_000
    /// The maximum number of entries; beyond it, the oldest are forgotten early.
    static let capacity = 16_384

    private var subjects: Set<Subject> = []
    /// The same entries, oldest first.
    private var order = WorkQueue<(subject: Subject, at: Timestamp)>()

    /// The number of entries.
    var count: Int { self.subjects.count }

    /// Adds an entry.
    mutating func insert(_ subject: Subject, at now: Timestamp) {
        self.forget(before: now - Self.lasts)
        guard self.subjects.insert(subject).inserted else { return }
        self.order.append((subject, now))
        if self.order.count > Self.capacity { self.forgetFirst() }
    }

    /// Whether a subject ended recently.
    func contains(_ subject: Subject) -> Bool { self.subjects.contains(subject) }

    private mutating func forget(before end: Timestamp) {
        while let oldest = self.order.first, oldest.at < end { self.forgetFirst() }
    }

    private mutating func forgetFirst() {
        if let oldest = self.order.popFirst() { self.subjects.remove(oldest.subject) }
    }
}
