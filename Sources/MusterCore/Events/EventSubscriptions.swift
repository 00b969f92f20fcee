/// The event subscriptions of sessions, and the events that each session was sent.
struct EventSubscriptions {
    /// The maximum number of events per subscription.
    static let capacity = 200

    /// The subscription of a session.
    struct Entry {
        /// The number of the subscription.
        var number: Int64
        var subscription: EventSubscription
        /// The current area.
        var area: Area
        /// The events sent to the session, each with its revision.
        var sent: [EventID: Int64] = [:]
        /// Whether more events match than are sent.
        var isMore = false
    }

    private var entries: [SessionID: Entry] = [:]
    private var holders: [EventID: Set<SessionID>] = [:]
    /// Sessions whose area follows their user.
    private var following: Set<SessionID> = []
    /// Sessions whose matching events are recomputed at the end of the batch.
    private var reviews: Set<SessionID> = []
    private var lastNumber: Int64 = 0

    /// The number of subscribed sessions.
    var count: Int { self.entries.count }

    /// Whether no area follows a user.
    var followsNobody: Bool { self.following.isEmpty }

    /// The subscription of a session.
    subscript(session: SessionID) -> Entry? { self.entries[session] }

    /// Replaces the subscription of a session; the events that it was sent stay recorded.
    ///
    /// - Returns: the number of the subscription.
    mutating func put(_ subscription: EventSubscription, in area: Area, of session: SessionID) -> Int64 {
        self.lastNumber += 1
        let sent = self.entries[session]?.sent ?? [:]
        self.entries[session] = Entry(number: self.lastNumber, subscription: subscription, area: area, sent: sent)
        self.reviews.remove(session)
        switch subscription.scope {
        case .area: self.following.remove(session)
        case .me: self.following.insert(session)
        }
        return self.lastNumber
    }

    /// Moves the area of a session.
    mutating func move(_ session: SessionID, to area: Area) { self.entries[session]?.area = area }

    /// Whether a session's area follows its user.
    func follows(_ session: SessionID) -> Bool { self.following.contains(session) }

    /// Removes a session.
    mutating func remove(_ session: SessionID) {
        guard let entry = self.entries.removeValue(forKey: session) else { return }
        for id in entry.sent.keys { self.release(id, of: session) }
        self.following.remove(session)
        self.reviews.remove(session)
    }

    /// Records that a session was sent an event.
    mutating func send(_ id: EventID, revision: Int64, to session: SessionID) {
        self.entries[session]?.sent[id] = revision
        self.holders[id, default: []].insert(session)
    }

    /// Records that an event no longer matches a session's subscription.
    mutating func withdraw(_ id: EventID, from session: SessionID) {
        self.entries[session]?.sent[id] = nil
        self.release(id, of: session)
    }

    /// Records whether more events match than a session is sent.
    mutating func setMore(_ isMore: Bool, of session: SessionID) { self.entries[session]?.isMore = isMore }

    /// The sessions that were sent an event.
    func sessions(with id: EventID) -> Set<SessionID> { self.holders[id] ?? [] }

    /// Marks a session's matching events for recomputation at the end of the batch.
    mutating func review(_ session: SessionID) { if self.entries[session] != nil { self.reviews.insert(session) } }

    /// Returns and clears the sessions marked for recomputation, by id.
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
