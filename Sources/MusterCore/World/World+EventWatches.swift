// An event subscription consists of an area and further conditions. A changed event is compared with the subscriptions
// whose area contains it, exactly or roughly, and with the sessions that were sent it. A changed subscription is
// compared with all events in its area.
//
// Invariant: a session was sent exactly the first 200 events that match its subscription. While there are more than
// 200, it was sent those that were among the first 200 at the last full comparison.

extension World {
    /// Subscribes a session to events, replacing its earlier subscription: sends the total at once, and then the
    /// difference.
    mutating func watchEvents(
        _ watch: EventWatch?,
        on session: SessionID,
        tag: RequestTag?,
        into effects: inout [WorldEffect]
    ) {
        guard let state = self.sessions.value(of: session), state.isOpen, !state.isWatch else { return }
        guard let watch else {
            self.stopWatchingEvents(session)
            effects.append(.events(.watched(session, tag, watch: 0, total: 0, more: false)))
            return
        }
        if let group = watch.group, self.users.value(of: state.user)?.memberships.contains(group) != true {
            return effects.append(.refused(session, tag, .notMember))
        }
        let area: Area
        switch watch.scope {
        case .area(let fixed): area = fixed
        case .me(let radius):
            guard let position = self.users.value(of: state.user)?.shown?.fix.coordinate else {
                effects.append(.refused(session, tag, .noPosition))
                return
            }
            area = .circle(position, radius: radius)
        }
        let number = self.eventWatches.put(watch, in: area, of: session)
        self.areas.insert(AreaInterest(session, .events), area)
        let found = self.events(for: session)
        let isMore = found.count > EventWatches.capacity
        effects.append(.events(.watched(session, tag, watch: number, total: found.count, more: isMore)))
        self.eventWatches.setMore(isMore, of: session)
        self.tellDifference(found, to: session, isMoreNews: false, into: &effects)
    }

    /// Ends the event subscription of a session.
    mutating func stopWatchingEvents(_ session: SessionID) {
        guard self.eventWatches[session] != nil else { return }
        self.areas.remove(AreaInterest(session, .events))
        self.eventWatches.remove(session)
    }

    /// Marks the event subscriptions of a user for a full comparison, because the visible events may have changed.
    mutating func reviewEvents(of person: Int) {
        guard self.eventWatches.count > 0 else { return }
        for session in self.users[person].sessions { self.eventWatches.review(session) }
    }

    /// Moves the subscriptions around a user who moved far enough.
    mutating func moveEventWatches(of person: Int, to position: Coordinate) {
        guard !self.eventWatches.followsNobody else { return }
        for session in self.users[person].sessions where self.eventWatches.follows(session) {
            guard let entry = self.eventWatches[session], case .circle(let center, let radius) = entry.area,
                !center.isWithin(EventWatch.step(radius: radius), of: position)
            else { continue }
            let area = Area.circle(position, radius: radius)
            self.eventWatches.move(session, to: area)
            self.areas.insert(AreaInterest(session, .events), area)
            self.eventWatches.review(session)
        }
    }

    /// Sends the event changes of this batch to all affected sessions.
    mutating func tellEvents(into effects: inout [WorldEffect]) {
        var pushes: [SessionID: EventPush] = [:]
        for (id, before) in self.events.drainChanges() {
            self.tellOwn(id, before: before, into: &effects)
            for session in self.concerned(by: id, before: before) { self.tell(session, of: id, in: &pushes) }
        }
        for session in pushes.keys.sorted() {
            guard var push = pushes[session] else { continue }
            push.put.sort { self.isBefore($0.event, $1.event) }
            effects.append(.events(.pushed(session, push)))
        }
        for session in self.eventWatches.drainReviews() where self.eventWatches[session] != nil {
            self.tellDifference(self.events(for: session), to: session, isMoreNews: true, into: &effects)
        }
    }

    // MARK: One event

    /// The sessions whose area contains an event's exact or roughened position, and those that were sent it.
    private func concerned(by id: EventID, before: EventTable.Entry?) -> [SessionID] {
        var sessions = self.eventWatches.sessions(with: id)
        if let event = self.events[id]?.news.event, self.eventWatches.count > 0 {
            var points = [event.roughened.coordinate]
            if event.hidesPlace { points.append(event.coordinate) }
            for point in points {
                sessions.formUnion(self.areas.hits(at: point, of: .events).map(\.interest.session))
            }
        }
        return sessions.sorted()
    }

    /// Adds an event's current state to the push for a session.
    private mutating func tell(_ session: SessionID, of id: EventID, in pushes: inout [SessionID: EventPush]) {
        guard let entry = self.eventWatches[session], let user = self.sessions.value(of: session)?.user else { return }
        var push =
            pushes[session] ?? EventPush(watch: entry.number, put: [], gone: [], more: entry.isMore)
        let wasSent = entry.sent[id] != nil
        if let known = self.events[id], self.matches(known, entry, user) {
            let isFull = entry.isMore || entry.sent.count >= EventWatches.capacity
            if wasSent || !isFull {
                guard entry.sent[id] != known.news.event.revision else { return }
                push.put.append(self.shown(known, to: user))
                self.eventWatches.send(id, revision: known.news.event.revision, to: session)
            } else {
                guard !entry.isMore else { return }
                push.more = true
                self.eventWatches.setMore(true, of: session)
            }
        } else {
            guard wasSent else { return }
            push.gone.append(id)
            self.eventWatches.withdraw(id, from: session)
            // There is now space for an event that was not sent.
            if entry.isMore { self.eventWatches.review(session) }
        }
        pushes[session] = push
    }

    /// Sends an event to its host and guests, and to users who were guests before the change.
    private func tellOwn(_ id: EventID, before: EventTable.Entry?, into effects: inout [WorldEffect]) {
        guard let entry = self.events[id] else { return }
        let event = entry.news.event
        guard before?.news.event.revision != event.revision else { return }
        var users = Set(event.guests.filter(\.isConcerned).map(\.user))
        users.insert(event.host.id)
        for (user, standing) in entry.standings where before?.standings[user] != standing { users.insert(user) }
        for user in users.sorted() {
            guard let person = self.users.slot(of: user), self.isVisible(event, to: person) else { continue }
            let sessions = self.openSessions(of: person)
            guard !sessions.isEmpty else { continue }
            var shown = self.shown(entry, to: user)
            shown.standing = entry.standings[user] ?? EventStanding(rsvp: nil)
            effects.append(.events(.shown(sessions, shown)))
        }
    }

    private func isVisible(_ event: Event, to person: Int) -> Bool {
        event.group.map { self.users[person].memberships.contains($0) } ?? true
    }

    private func shown(_ entry: EventTable.Entry, to user: UserID) -> ShownEvent {
        ShownEvent(
            entry.news.event.id,
            json: entry.isRough(for: user) ? entry.news.rough : entry.news.exact,
            standing: entry.standings[user]
        )
    }

    // MARK: One subscription

    private func matches(_ known: EventTable.Entry, _ entry: EventWatches.Entry, _ user: UserID) -> Bool {
        entry.watch.matches(
            known.news.event,
            isRough: known.isRough(for: user),
            in: entry.area,
            isMember: { group in self.users.value(of: user)?.memberships.contains(group) ?? false },
            at: self.now
        )
    }

    /// All events that match a session's subscription, by start time.
    private func events(for session: SessionID) -> [EventTable.Entry] {
        guard let entry = self.eventWatches[session], let user = self.sessions.value(of: session)?.user else {
            return []
        }
        return self.events.candidates(in: entry.area, for: user)
            .filter { self.matches($0, entry, user) }
            .sorted { Self.precedes($0.news.event, $1.news.event) }
    }

    /// Sends a session the matching events that it lacks, and withdraws those that no longer match.
    private mutating func tellDifference(
        _ found: [EventTable.Entry],
        to session: SessionID,
        isMoreNews: Bool,
        into effects: inout [WorldEffect]
    ) {
        guard let entry = self.eventWatches[session], let user = self.sessions.value(of: session)?.user else { return }
        let first = found.prefix(EventWatches.capacity)
        let isMore = found.count > EventWatches.capacity
        let kept = Set(first.map(\.news.event.id))
        let gone = entry.sent.keys.filter { !kept.contains($0) }.sorted()
        for id in gone { self.eventWatches.withdraw(id, from: session) }
        var put: [ShownEvent] = []
        for known in first where entry.sent[known.news.event.id] != known.news.event.revision {
            put.append(self.shown(known, to: user))
            self.eventWatches.send(known.news.event.id, revision: known.news.event.revision, to: session)
        }
        self.eventWatches.setMore(isMore, of: session)
        guard !put.isEmpty || !gone.isEmpty || isMoreNews && isMore != entry.isMore else { return }
        effects.append(
            .events(.pushed(session, EventPush(watch: entry.number, put: put, gone: gone, more: isMore)))
        )
    }

    private func isBefore(_ one: EventID, _ other: EventID) -> Bool {
        guard let first = self.events[one]?.news.event, let second = self.events[other]?.news.event else {
            return one < other
        }
        return Self.precedes(first, second)
    }

    private static func precedes(_ one: Event, _ other: Event) -> Bool {
        (one.startsAt, one.id) < (other.startsAt, other.id)
    }
}
