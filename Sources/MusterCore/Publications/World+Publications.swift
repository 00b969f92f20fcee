extension World {
    /// The age up to which a notification is sent as new, in milliseconds.
    static let freshnessLimit: Int64 = 900_000
    /// The pause after a failed query for a user's notifications, in milliseconds.
    static let readingPause: Int64 = 5_000

    /// Sends a publication to its audience.
    mutating func publish(_ publication: Publication) {
        switch publication.message {
        case .live(let message):
            if case .planChanged(let change) = message, !self.planCounts.admit(change) { return }
            if case .area(let subject, let point, let left) = publication.audience {
                return self.send(self.sessions(subscribedTo: subject, at: point, except: left), message)
            }
            let sessions = self.people(of: publication.audience).flatMap { user in
                self.users.slot(of: user).map { self.openSessions(of: $0) } ?? []
            }
            self.send(sessions, message)
        case .durable(let content):
            for user in self.people(of: publication.audience) { self.store(content, for: user) }
        case .stored(let content, let numbers):
            for given in numbers { self.receive(given.number, content, of: given.user) }
        case .withdrawn(let numbers):
            for taken in numbers { self.withdraw(taken) }
        }
    }

    /// Sends a live message to sessions.
    mutating func send(_ sessions: [SessionID], _ message: LiveMessage) {
        if !sessions.isEmpty { self.effects.append(.publish(sessions, message)) }
    }

    /// Sends a message about a place to sessions.
    ///
    /// A new spot is not sent twice to a session, nor after its deletion.
    mutating func send(_ near: [NearbySession], _ message: LiveMessage) {
        var near = near
        if case .newSpot(let spot, _) = message {
            guard !self.recentEnds.contains(.spot(spot)) else { return }
            near.removeAll { !self.sentSpots.insert(spot, to: $0.session) }
        }
        if !near.isEmpty { self.effects.append(.publishNear(near, message)) }
    }

    /// The welcomed sessions of a user, without wearables.
    func openSessions(of person: Int, except left: SessionID? = nil) -> [SessionID] {
        self.users[person].sessions.filter { $0 != left && self.sessions.value(of: $0)?.isWatch == false }
    }

    private func people(of audience: Audience) -> [UserID] {
        switch audience {
        case .people(let users): return users
        case .group(let group, let left):
            return self.groups.slot(of: group).map { slot in self.groups[slot].memberIDs.filter { $0 != left } } ?? []
        case .area(let subject, let point, let left):
            var known: Set<UserID> = []
            return self.sessions(subscribedTo: subject, at: point, except: left).compactMap { near in
                self.sessions.value(of: near.session)?.user
            }.filter { known.insert($0).inserted }
        }
    }

    // MARK: Durable notifications

    /// Journals a notification, which is sent once it is committed.
    @discardableResult
    mutating func store(_ content: NotificationContent, for user: UserID) -> Int64 {
        var content = content
        if content.subject == nil {
            // The subject identifies the rows of a batch whose commit outcome is unknown.
            let subject: Identifier<GatheringSubject> = self.identifiers.next(at: self.now)
            content.subject = "world:\(subject)"
        }
        let notification = NotificationRecord(user: user, content: content)
        let record = self.write(.notification(notification), for: .notification(user))
        self.pendingNotifications[record] = notification
        if let person = self.users.slot(of: user) { self.users[person].lastRecord = record }
        return record
    }

    /// Sends a notification that a journal record stored, unless it was withdrawn in the meantime.
    mutating func deliver(_ record: Int64, as number: Int64?, of user: UserID) {
        let notification = self.pendingNotifications.removeValue(forKey: record)
        // There is no number when storage refused the record or the recipient no longer exists.
        guard let number else { return }
        self.receive(number, notification?.content, of: user)
    }

    /// Processes an assigned notification number, and sends the notification if it is the user's next one.
    private mutating func receive(_ number: Int64, _ content: NotificationContent?, of user: UserID) {
        guard let person = self.users.slot(of: user) else {
            self.recentNumbers.note(number, of: user, at: self.now)
            return
        }
        self.users[person].lastActivity = self.now
        let notification = content.map { NumberedNotification(user: user, number: number, content: $0) }
        if self.users[person].inbox.receive(number, notification), let notification {
            self.send([notification], to: person)
            self.markGlances(of: person)
        } else {
            self.readUp(person)
        }
    }

    /// Sends notifications to all of a user's sessions.
    ///
    /// Sessions being admitted get them with the others.
    private mutating func send(_ notifications: [NumberedNotification], to person: Int) {
        let sessions = self.users[person].sessions.filter { id in
            self.sessions.value(of: id).map { !$0.isWatch && $0.opening == nil } ?? false
        }
        guard !sessions.isEmpty else { return }
        for notification in notifications where self.concerns(notification, person) {
            self.effects.append(self.notify(sessions, notification))
        }
    }

    /// Whether a user is still a member of the notification's group.
    func concerns(_ notification: NumberedNotification, _ person: Int) -> Bool {
        notification.content.group.map { self.users[person].memberships.contains($0) } ?? true
    }

    /// The effect that sends a notification.
    func notify(_ sessions: [SessionID], _ notification: NumberedNotification) -> WorldEffect {
        let isLate = self.now - notification.content.at > Self.freshnessLimit
        return .notify(sessions, self.named(notification), isLate: isLate)
    }

    /// A notification with the group's current name.
    func named(_ notification: NumberedNotification) -> NumberedNotification {
        guard let group = notification.content.group.flatMap({ self.groups.slot(of: $0) }) else { return notification }
        var notification = notification
        notification.content.groupName = self.groups[group].name
        return notification
    }

    // MARK: Gaps

    /// Queries storage for notifications below a known number, if the user has a session.
    mutating func readUp(_ person: Int) {
        guard !self.users[person].sessions.isEmpty, self.users[person].inbox.beginReading() else { return }
        self.effects.append(.ask(.inbox(self.users.keys[person])))
    }

    /// Records numbers that storage assigned in other transactions, and queries their content.
    mutating func noteGiven(_ numbers: [NotificationNumber]) {
        for given in numbers {
            guard let person = self.users.slot(of: given.user) else {
                self.recentNumbers.note(given.number, of: given.user, at: self.now)
                continue
            }
            self.users[person].inbox.note(given: given.number)
            self.readUp(person)
        }
    }

    /// Applies a user's stored notifications and sends those that were unknown.
    mutating func readNotifications(of user: UserID, _ unseen: [NumberedNotification], upTo last: Int64) {
        guard let person = self.users.slot(of: user) else { return }
        self.merge(unseen, upTo: last, of: person)
        self.users[person].inbox.endReading(upTo: last)
        self.readUp(person)
    }

    /// Schedules another query after a failure.
    mutating func failReading(of user: UserID) {
        guard let person = self.users.slot(of: user) else { return }
        self.users[person].inbox.endReading(upTo: nil)
        self.scheduleDeadline(of: person, at: self.now + Self.readingPause)
    }

    /// Merges a user's stored notifications and sends those that were unknown.
    mutating func merge(_ unseen: [NumberedNotification], upTo last: Int64, of person: Int) {
        let added = self.users[person].inbox.merge(unseen, upTo: last)
        self.markGlances(of: person)
        if !added.isEmpty { self.send(added, to: person) }
    }

    // MARK: Seen notifications

    /// Marks notifications as seen, and informs the user's other sessions.
    mutating func see(_ session: SessionID, _ what: SeenNotifications) {
        guard let slot = self.sessions.slot(of: session), self.sessions[slot].isOpen,
            let person = self.users.slot(of: self.sessions[slot].user)
        else { return }
        let (added, gone) = self.users[person].inbox.see(what)
        guard let added else { return }
        let user = self.sessions[slot].user
        self.users[person].lastRecord = self.write(.seen(user, added, at: self.now))
        guard !gone.isEmpty else { return }
        self.markGlances(of: person)
        self.send(self.openSessions(of: person, except: session), .seen(gone))
    }

    /// Withdraws a user's unseen notifications about a group, including those not yet durable.
    mutating func withdrawNotifications(about group: GroupID, of person: Int) {
        let user = self.users.keys[person]
        for (record, pending) in self.pendingNotifications where pending.user == user && pending.content.group == group
        {
            self.pendingNotifications[record] = nil
        }
        let gone = self.users[person].inbox.withdraw { $0.content.group == group }
        if !gone.isEmpty { self.markGlances(of: person) }
        if !gone.isEmpty { self.send(self.openSessions(of: person), .seen(gone)) }
    }

    /// Withdraws a notification that storage deleted.
    private mutating func withdraw(_ taken: NotificationNumber) {
        guard let person = self.users.slot(of: taken.user) else { return }
        let gone = self.users[person].inbox.withdraw { $0.number == taken.number }
        guard !gone.isEmpty else { return }
        self.markGlances(of: person)
        self.send(self.openSessions(of: person), .seen(gone))
    }

    /// Withdraws all users' unseen notifications from a user whose account was deleted.
    mutating func withdrawNotifications(from user: UserID) {
        for (record, pending) in self.pendingNotifications where pending.content.from == user {
            self.pendingNotifications[record] = nil
        }
        for person in self.users.indices {
            let gone = self.users[person].inbox.withdraw { $0.content.from == user }
            if !gone.isEmpty { self.markGlances(of: person) }
            if !gone.isEmpty { self.send(self.openSessions(of: person), .seen(gone)) }
        }
    }
}
