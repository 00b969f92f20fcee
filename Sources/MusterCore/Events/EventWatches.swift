/// Which events sessions watch for, and which they were sent.
struct EventWatches {
    /// How many events a watch is sent.
    static let capacity = 200

    /// What a session watches.
    struct Entry {
        /// Names the watch.
        var number: Int64
        var watch: EventWatch
        /// Where, as it stands.
        var area: Area
        /// The events that it was sent, with the revision of each.
        var sent: [EventID: Int64] = [:]
        /// Whether there are more than it is sent.
        var isMore = false
    }

    private var entries: [SessionID: Entry] = [:]
    private var holders: [EventID: Set<SessionID>] = [:]
    /// Sessions that watch around their person, who may move.
    private var following: Set<SessionID> = []
    /// Sessions whose events are to be looked through again when the turn ends.
    private var reviews: Set<SessionID> = []
    private var lastNumber: Int64 = 0

    /// How many sessions watch.
    var count: Int { self.entries.count }

    /// Whether nobody watches around themselves.
    var followsNobody: Bool { self.following.isEmpty }

    /// What a session watches.
    subscript(session: SessionID) -> Entry? { self.entries[session] }

    /// Watches for a session, in place of what it watched; what it was sent it still holds.
    ///
    /// - Returns: the number of the watch.
    mutating func put(_ watch: EventWatch, in area: Area, of session: SessionID) -> Int64 {
        self.lastNumber += 1
        let sent = self.entries[session]?.sent ?? [:]
        self.entries[session] = Entry(number: self.lastNumber, watch: watch, area: area, sent: sent)
        self.reviews.remove(session)
        switch watch.scope {
        case .area: self.following.remove(session)
        case .me: self.following.insert(session)
        }
        return self.lastNumber
    }

    /// Moves what a session watches.
    mutating func move(_ session: SessionID, to area: Area) { self.entries[session]?.area = area }

    /// Whether a session watches around its person.
    func follows(_ session: SessionID) -> Bool { self.following.contains(session) }

    /// Forgets a session.
    mutating func remove(_ session: SessionID) {
        guard let entry = self.entries.removeValue(forKey: session) else { return }
        for id in entry.sent.keys { self.release(id, of: session) }
        self.following.remove(session)
        self.reviews.remove(session)
    }

    /// Notes that a session was sent an event.
    mutating func send(_ id: EventID, revision: Int64, to session: SessionID) {
        self.entries[session]?.sent[id] = revision
        self.holders[id, default: []].insert(session)
    }

    /// Notes that an event is not among those of a session any more.
    mutating func withdraw(_ id: EventID, from session: SessionID) {
        self.entries[session]?.sent[id] = nil
        self.release(id, of: session)
    }

    /// Notes whether there are more events than a session is sent.
    mutating func setMore(_ isMore: Bool, of session: SessionID) { self.entries[session]?.isMore = isMore }

    /// Who was sent an event.
    func sessions(with id: EventID) -> Set<SessionID> { self.holders[id] ?? [] }

    /// Has the events of a session looked through again when the turn ends.
    mutating func review(_ session: SessionID) { if self.entries[session] != nil { self.reviews.insert(session) } }

    /// Takes out the sessions whose events are to be looked through, by id.
    mutating func drainReviews() -> [SessionID] {
        guard !self.reviews.isEmpty else { return [] }
        defer { self.reviews.removeAll() }
        return self.reviews.sorted()
    }

    private mutating func release(_ id: EventID, of session: SessionID) {
        self.holders[id]?.remove(session)
        if self.holders[id]?.isEmpty == true { self.holders[id] = nil }
    }
}
