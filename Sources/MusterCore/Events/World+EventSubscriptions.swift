// An event subscription consists of an area and further conditions. A changed event is compared with the subscriptions
// whose area contains it, exactly or roughly, and with the sessions that were sent it. A changed subscription is
// compared with all events in its area.
//
// Invariant: a session was sent exactly the first 200 events that match its subscription. While there are more than
// 200, it was sent those that were among the first 200 at the last full comparison.

extension World {
    /// Subscribes a session to events, replacing its earlier subscription: sends the total at once, and then the
    /// difference.
    mutating func subscribeToEvents(_ subscription: EventSubscription?, on session: SessionID, tag: RequestTag?) {
        guard let state = self.sessions.value(of: session), state.isOpen, !state.isWatch else { return }
        guard let subscription else {
            self.unsubscribeFromEvents(session)
            self.effects.append(.events(.subscribed(session, tag, subscription: 0, total: 0, more: false)))
            return
        }
        if let group = subscription.group, self.users.value(of: state.user)?.memberships.contains(group) != true {
            return self.effects.append(.refused(session, tag, .notMember))
        }
        let area: Area
        switch subscription.scope {
        case .area(let fixed): area = fixed
        case .me(let radius):
            guard let position = self.users.value(of: state.user)?.shown?.fix.coordinate else {
                self.effects.append(.refused(session, tag, .noPosition))
                return
            }
            area = .circle(position, radius: radius)
        }
        let number = self.eventSubscriptions.put(subscription, in: area, of: session)
        self.areas.insert(AreaInterest(session, .events), area)
        let found = self.events(for: session)
        let isMore = found.count > EventSubscriptions.capacity
        self.effects.append(.events(.subscribed(session, tag, subscription: number, total: found.count, more: isMore)))
        self.eventSubscriptions.setMore(isMore, of: session)
        self.sendDifference(found, to: session, isMoreNew: false)
    }

    /// Ends the event subscription of a session.
    mutating func unsubscribeFromEvents(_ session: SessionID) {
        guard self.eventSubscriptions[session] != nil else { return }
        self.areas.remove(AreaInterest(session, .events))
        self.eventSubscriptions.remove(session)
    }

    /// Marks the event subscriptions of a user for a full comparison, because the visible events may have changed.
    mutating func reviewEvents(of person: Int) {
        guard self.eventSubscriptions.count > 0 else { return }
        for session in self.users[person].sessions { self.eventSubscriptions.review(session) }
    }

    /// Moves the subscriptions around a user who moved far enough.
    mutating func moveEventSubscriptions(of person: Int, to position: Coordinate) {
        guard !self.eventSubscriptions.followsNobody else { return }
        for session in self.users[person].sessions where self.eventSubscriptions.follows(session) {
            guard let entry = self.eventSubscriptions[session], case .circle(let center, let radius) = entry.area,
                !center.isWithin(EventSubscription.step(radius: radius), of: position)
            else { continue }
            let area = Area.circle(position, radius: radius)
            self.eventSubscriptions.move(session, to: area)
            self.areas.insert(AreaInterest(session, .events), area)
            self.eventSubscriptions.review(session)
        }
    }

    /// Sends the event changes of this batch to all affected sessions.
    mutating func sendEvents() {
        var pushes: [SessionID: EventPush] = [:]
        for (id, before) in self.events.drainChanges() {
            self.sendOwn(id, before: before)
            for session in self.concerned(by: id, before: before) { self.send(session, of: id, in: &pushes) }
        }
        for session in pushes.keys.sorted() {
            guard var push = pushes[session] else { continue }
            push.put.sort { self.isBefore($0.event, $1.event) }
            self.effects.append(.events(.pushed(session, push)))
        }
        for session in self.eventSubscriptions.drainReviews() where self.eventSubscriptions[session] != nil {
            self.sendDifference(self.events(for: session), to: session, isMoreNew: true)
        }
    }

    // MARK: One event

    /// The sessions whose area contains an event's exact or roughened position, and those that were sent it.
    private func concerned(by id: EventID, before: EventTable.Entry?) -> [SessionID] {
        var sessions = self.eventSubscriptions.sessions(with: id)
        if let event = self.events[id]?.snapshot.event, self.eventSubscriptions.count > 0 {
            var points = [event.coarsened.coordinate]
            if event.hidesPlace { points.append(event.coordinate) }
            for point in points {
                sessions.formUnion(self.areas.hits(at: point, of: .events).map(\.interest.session))
            }
        }
        return sessions.sorted()
    }

    /// Adds an event's current state to the push for a session.
    private mutating func send(_ session: SessionID, of id: EventID, in pushes: inout [SessionID: EventPush]) {
        guard let entry = self.eventSubscriptions[session], let user = self.sessions.value(of: session)?.user else {
            return
        }
        var push =
            pushes[session] ?? EventPush(subscription: entry.number, put: [], gone: [], more: entry.isMore)
        let wasSent = entry.sent[id] != nil
        if let known = self.events[id], self.matches(known, entry, user) {
            let isFull = entry.isMore || entry.sent.count >= EventSubscriptions.capacity
            if wasSent || !isFull {
                guard entry.sent[id] != known.snapshot.event.revision else { return }
                push.put.append(self.shown(known, to: user))
                self.eventSubscriptions.send(id, revision: known.snapshot.event.revision, to: session)
            } else {
                guard !entry.isMore else { return }
                push.more = true
                self.eventSubscriptions.setMore(true, of: session)
            }
        } else {
            guard wasSent else { return }
            push.gone.append(id)
            self.eventSubscriptions.withdraw(id, from: session)
            // There is now space for an event that was not sent.
            if entry.isMore { self.eventSubscriptions.review(session) }
        }
        pushes[session] = push
    }

    /// Sends an event to its host and guests, and to users who were guests before the change.
    private mutating func sendOwn(_ id: EventID, before: EventTable.Entry?) {
        guard let entry = self.events[id] else { return }
        let event = entry.snapshot.event
        guard before?.snapshot.event.revision != event.revision else { return }
        var users = Set(event.guests.filter(\.isConcerned).map(\.user))
        users.insert(event.host.id)
        for (user, rsvpStatus) in entry.rsvpStatuses where before?.rsvpStatuses[user] != rsvpStatus {
            users.insert(user)
        }
        for user in users.sorted() {
            guard let person = self.users.slot(of: user), self.isVisible(event, to: person) else { continue }
            let sessions = self.openSessions(of: person)
            guard !sessions.isEmpty else { continue }
            var shown = self.shown(entry, to: user)
            shown.rsvpStatus = entry.rsvpStatuses[user] ?? RSVPStatus(rsvp: nil)
            self.effects.append(.events(.shown(sessions, shown)))
        }
    }

    private func isVisible(_ event: Event, to person: Int) -> Bool {
        event.group.map { self.users[person].memberships.contains($0) } ?? true
    }

    private func shown(_ entry: EventTable.Entry, to user: UserID) -> ShownEvent {
        ShownEvent(
            entry.snapshot.event.id,
            json: entry.isCoarse(for: user) ? entry.snapshot.coarse : entry.snapshot.exact,
            rsvpStatus: entry.rsvpStatuses[user]
        )
    }

    // MARK: One subscription

    private func matches(_ known: EventTable.Entry, _ entry: EventSubscriptions.Entry, _ user: UserID) -> Bool {
        entry.subscription.matches(
            known.snapshot.event,
            isCoarse: known.isCoarse(for: user),
            in: entry.area,
            isMember: { group in self.users.value(of: user)?.memberships.contains(group) ?? false },
            at: self.now
        )
    }

    /// All events that match a session's subscription, by start time.
    private func events(for session: SessionID) -> [EventTable.Entry] {
        guard let entry = self.eventSubscriptions[session], let user = self.sessions.value(of: session)?.user else {
            return []
        }
        return self.events.candidates(in: entry.area, for: user)
            .filter { self.matches($0, entry, user) }
            .sorted { Self.precedes($0.snapshot.event, $1.snapshot.event) }
    }

    /// Sends a session the matching events that it lacks, and withdraws those that no longer match.
    private mutating func sendDifference(_ found: [EventTable.Entry], to session: SessionID, isMoreNew: Bool) {
        guard let entry = self.eventSubscriptions[session], let user = self.sessions.value(of: session)?.user else {
            return
        }
        let first = found.prefix(EventSubscriptions.capacity)
        let isMore = found.count > EventSubscriptions.capacity
        let kept = Set(first.map(\.snapshot.event.id))
        let gone = entry.sent.keys.filter { !kept.contains($0) }.sorted()
        for id in gone { self.eventSubscriptions.withdraw(id, from: session) }
        var put: [ShownEvent] = []
        for known in first where entry.sent[known.snapshot.event.id] != known.snapshot.event.revision {
            put.append(self.shown(known, to: user))
            self.eventSubscriptions.send(known.snapshot.event.id, revision: known.snapshot.event.revision, to: session)
        }
        self.eventSubscriptions.setMore(isMore, of: session)
        guard !put.isEmpty || !gone.isEmpty || isMoreNew && isMore != entry.isMore else { return }
        self.effects.append(
            .events(.pushed(session, EventPush(subscription: entry.number, put: put, gone: gone, more: isMore)))
        )
    }

    private func isBefore(_ one: EventID, _ other: EventID) -> Bool {
        guard let first = self.events[one]?.snapshot.event, let second = self.events[other]?.snapshot.event else {
            return one < other
        }
        return Self.precedes(first, second)
    }

    private static func precedes(_ one: Event, _ other: Event) -> Bool {
        (one.startsAt, one.id) < (other.startsAt, other.id)
    }
}
