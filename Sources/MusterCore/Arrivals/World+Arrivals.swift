// A group's places arrive with its snapshots. A user who tells at least one place has an `ArrivalRule` in `arrivals`; all
// other users have none. The deadline of the user is at most that of the rule.
//
// Invariant: the rule of a user watches exactly the places that the user tells in groups whose stored states were read,
// while the user shares `live` in the group.

extension World {
    /// The maximum number of notifications that one member sends another within an hour.
    static let arrivalsAnHour = 20
    private static let hour: Int64 = 3_600_000

    /// The arrivals of one user.
    struct UserArrivals: Sendable {
        var rule = ArrivalRule()
        /// The last notifications, oldest first.
        var sent: [(receiver: UserID, at: Timestamp)] = []
    }

    // MARK: Fixes

    /// Passes a fix to the rule of its user.
    mutating func noteArrivals(of person: Int, _ fix: Fix, _ evaluated: EvaluatedFix, from device: DeviceID) {
        guard self.users[person].tellsPlaces, let slot = self.arrivals.slot(of: self.users.keys[person]),
            let fix = ArrivalFix(device: device, fix, evaluated, receivedAt: self.now)
        else { return }
        self.arrivals[slot].rule.accept(fix)
        self.scheduleArrivals(of: person, slot)
    }

    /// Decides what is due for a user.
    mutating func meetArrivals(of person: Int) {
        let user = self.users.keys[person]
        guard self.users[person].tellsPlaces, let slot = self.arrivals.slot(of: user) else { return }
        if let due = self.arrivals[slot].rule.nextDeadline, due <= self.now {
            let before = self.arrivals[slot].rule.standings
            var events: [ArrivalEvent] = []
            self.arrivals[slot].rule.advance(to: self.now, into: &events)
            for event in events { self.tell(event, of: person) }
            self.storeArrivals(of: user, slot, since: before)
        }
        self.scheduleArrivals(of: person, slot)
    }

    /// Limits recorded times to now, after the clock was set back: proofs and stays begin again.
    mutating func rewindArrivals() {
        for slot in self.arrivals.indices {
            let before = self.arrivals[slot].rule.standings
            self.arrivals[slot].rule.rewind(to: self.now)
            self.storeArrivals(of: self.arrivals.keys[slot], slot, since: before)
        }
    }

    private mutating func scheduleArrivals(of person: Int, _ slot: Int) {
        guard let due = self.arrivals[slot].rule.nextDeadline else { return }
        self.scheduleDeadline(of: person, at: max(due, self.now))
    }

    private mutating func storeArrivals(of user: UserID, _ slot: Int, since before: [ArrivalStanding]) {
        for place in self.arrivals[slot].rule.changes(since: before) {
            let group = self.arrivals[slot].rule.group(of: place) ?? before.first { $0.place == place }?.group
            var state = self.arrivals[slot].rule.stored(place, of: user)
            if self.arrivals[slot].rule.group(of: place) == nil { state.isInside = nil }
            let record = self.write(.arrival(state))
            if let group = group.flatMap({ self.groups.slot(of: $0) }) { self.groups[group].lastRecord = record }
        }
    }

    // MARK: Notifications

    private mutating func tell(_ event: ArrivalEvent, of person: Int) {
        let user = self.users.keys[person]
        guard let group = self.groups.slot(of: event.group), let place = self.groups[group].places?[event.place],
            let consent = place.consent(of: user)
        else { return }
        self.totals.arrivals += 1
        self.groups[group].places?.note(event, of: user, at: self.now)
        let content = NotificationContent(event, of: self.users[person].profile, at: place, decided: self.now)
        for receiver in self.groups[group].memberIDs where consent.includes(receiver) {
            guard !place.muted.contains(receiver), !self.isBlocked(receiver, user), self.mayTell(receiver, by: user)
            else { continue }
            self.replaceArrival(at: event.place, of: user, for: receiver)
            self.store(content, for: receiver)
        }
        self.markGlances(in: group)
    }

    private func isBlocked(_ one: UserID, _ other: UserID) -> Bool {
        self.chat.blocked[one]?.contains(other) == true || self.chat.blocked[other]?.contains(one) == true
    }

    /// Whether a user may send another notification to a receiver within the hour.
    private mutating func mayTell(_ receiver: UserID, by user: UserID) -> Bool {
        guard let slot = self.arrivals.slot(of: user) else { return false }
        let now = self.now
        self.arrivals[slot].sent.removeAll { now - $0.at >= Self.hour || $0.at > now }
        guard self.arrivals[slot].sent.count(where: { $0.receiver == receiver }) < Self.arrivalsAnHour else {
            return false
        }
        self.arrivals[slot].sent.append((receiver, now))
        return true
    }

    /// Marks an older unseen notification about the same user and place as seen.
    private mutating func replaceArrival(at place: GroupPlaceID, of user: UserID, for receiver: UserID) {
        guard let person = self.users.slot(of: receiver) else { return }
        let gone = self.users[person].inbox.unseen.filter { $0.content.tells(place, of: user) }.map(\.number)
        guard !gone.isEmpty else { return }
        let (added, withdrawn) = self.users[person].inbox.see(.numbers(gone))
        if let added { self.users[person].lastRecord = self.write(.seen(receiver, added, at: self.now)) }
        if !withdrawn.isEmpty { self.send(self.openSessions(of: person), .seen(withdrawn)) }
    }

    /// Withdraws unseen notifications that their sender no longer allows; storage has deleted those that are durable.
    private mutating func withdrawArrivals(in slot: Int) {
        let group = self.groups.keys[slot]
        let places = self.groups[slot].places?.places ?? []
        let members = self.groups[slot].memberIDs
        func isVoid(_ content: NotificationContent, for receiver: UserID) -> Bool {
            guard content.group == group, NotificationKind.arrivals.contains(content.kind), let user = content.from
            else { return false }
            return !members.contains(user)
                || !places.contains { place in
                    content.tells(place.id, of: user) && place.consent(of: user)?.includes(receiver) == true
                }
        }
        for (record, pending) in self.pendingNotifications where isVoid(pending.content, for: pending.user) {
            self.pendingNotifications[record] = nil
        }
        for receiver in members {
            guard let person = self.users.slot(of: receiver) else { continue }
            let gone = self.users[person].inbox.withdraw { isVoid($0.content, for: receiver) }
            guard !gone.isEmpty else { continue }
            self.markGlances(of: person)
            self.send(self.openSessions(of: person), .seen(gone))
        }
    }

    // MARK: Places

    /// Sets the places of a group that is inserted.
    mutating func insertPlaces(of slot: Int, from snapshot: GroupSnapshot) {
        guard !snapshot.places.isEmpty else { return }
        let isRestored = snapshot.arrivals != nil || !snapshot.places.contains { !$0.consents.isEmpty }
        self.groups[slot].places = GroupPlaces(snapshot.places, of: snapshot.id, isRestored: isRestored)
        if isRestored {
            self.watchPlaces(in: slot, restoring: snapshot.arrivals)
        } else {
            self.requestLoad(of: snapshot.id)
        }
    }

    /// Reads the stored states of a group that was inserted without them.
    mutating func restorePlaces(of slot: Int, from snapshot: GroupSnapshot) {
        guard self.groups[slot].places?.isRestored == false, let arrivals = snapshot.arrivals else { return }
        self.groups[slot].places?.isRestored = true
        self.watchPlaces(in: slot, restoring: arrivals)
    }

    /// Applies the places of a newer snapshot.
    mutating func updatePlaces(of slot: Int, from snapshot: GroupSnapshot) {
        let before = self.groups[slot].places?.places ?? []
        guard before != snapshot.places else { return }
        if self.groups[slot].places == nil {
            self.groups[slot].places = GroupPlaces(snapshot.places, of: snapshot.id, isRestored: true)
        } else {
            self.groups[slot].places?.replace(with: snapshot.places)
        }
        // A new choice makes the state unknown, and so does a place that moved.
        for place in before {
            guard let now = self.groups[slot].places?[place.id] else { continue }
            for consent in now.consents where place.consent(of: consent.user)?.at != consent.at {
                self.forgetArrival(of: consent.user, at: place.id, in: snapshot.id)
            }
        }
        self.watchPlaces(in: slot)
        self.withdrawArrivals(in: slot)
        self.markGlances(in: slot)
        if snapshot.places.isEmpty { self.groups[slot].places = nil }
    }

    /// Adapts the rule of a member to their sharing.
    mutating func watchPlaces(of user: UserID, in slot: Int) {
        guard self.groups[slot].places?.isRestored == true else { return }
        self.watch(user, in: slot, restoring: nil)
    }

    /// Ends the rule of a member for a group, without a record: storage has the state or has deleted it.
    mutating func unwatchPlaces(of user: UserID, in slot: Int) {
        guard let places = self.groups[slot].places else { return }
        self.groups[slot].places?.forget(user)
        if let place = self.arrivals.slot(of: user) {
            self.arrivals[place].rule.watch(places.ground, mask: 0, since: self.now)
            self.endArrivals(of: user, place)
        }
        self.withdrawArrivals(in: slot)
    }

    /// Whether a decision about a member of a group is pending.
    func hasPendingArrivals(in slot: Int) -> Bool {
        guard self.groups[slot].places != nil else { return false }
        return self.groups[slot].memberIDs.contains { user in
            self.arrivals.slot(of: user).map { self.arrivals[$0].rule.nextDeadline != nil } ?? false
        }
    }

    private mutating func watchPlaces(in slot: Int, restoring stored: StoredArrivals? = nil) {
        for user in self.groups[slot].memberIDs { self.watch(user, in: slot, restoring: stored) }
    }

    private mutating func watch(_ user: UserID, in slot: Int, restoring stored: StoredArrivals?) {
        guard let places = self.groups[slot].places, let index = self.groups[slot].index(of: user),
            let person = self.users.slot(of: user)
        else { return }
        let sharing = self.groups[slot].members[index].sharing
        let isLive = sharing.mode == .live
        let mask = isLive ? places.mask(of: user) : 0
        guard mask != 0 || self.arrivals.slot(of: user) != nil else { return }
        let place = self.arrivals.slot(of: user) ?? self.arrivals.insert(UserArrivals(), for: user)
        let before = self.arrivals[place].rule.standings
        self.arrivals[place].rule.watch(places.ground, mask: mask, since: sharing.visibleSince)
        if let stored {
            // A state from before the end of a pause must not lead to a notification.
            let states = stored.states.filter { state in
                let since = max(sharing.visibleSince, places[state.place]?.consent(of: user)?.at ?? .never)
                return state.user == user && state.details.applied.moment >= since
            }
            var fixes = stored.fixes[user] ?? []
            if let shown = self.users[person].shown, shown.at > fixes.map(\.at).max() ?? Timestamp(milliseconds: 0),
                let fix = ArrivalFix(shown, receivedAt: self.now)
            {
                fixes.append(fix)
            }
            self.arrivals[place].rule.restore(states, fixes: fixes)
            self.arrivals[place].rule.resume(at: self.now)
        } else {
            if !isLive { self.groups[slot].places?.forget(user) }
            self.storeArrivals(of: user, place, since: before)
        }
        self.users[person].tellsPlaces = true
        self.endArrivals(of: user, place)
        if let place = self.arrivals.slot(of: user) { self.scheduleArrivals(of: person, place) }
    }

    private mutating func forgetArrival(of user: UserID, at place: GroupPlaceID, in group: GroupID) {
        guard let slot = self.arrivals.slot(of: user) else { return }
        let before = self.arrivals[slot].rule.standings
        self.arrivals[slot].rule.forget(place, in: group)
        self.storeArrivals(of: user, slot, since: before)
    }

    /// Removes a rule that watches nothing.
    private mutating func endArrivals(of user: UserID, _ slot: Int) {
        guard self.arrivals[slot].rule.isIdle else { return }
        self.arrivals.remove(user)
        if let person = self.users.slot(of: user) { self.users[person].tellsPlaces = false }
    }

    // MARK: Views

    /// The places of a group as a member sees them; nil if it has none.
    func sights(in slot: Int, for user: UserID) -> [GroupPlaceSight]? {
        self.groups[slot].places?.places.map { GroupPlaceSight($0, for: user, here: self.here(at: $0, for: user)) }
    }

    /// The last arrivals and departures that a user was notified of, without the unseen ones, newest first.
    func glancePlaces(of person: Int) -> [Glance.Place] {
        let viewer = self.users.keys[person]
        let unseen = self.users[person].inbox.unseen.filter { NotificationKind.arrivals.contains($0.content.kind) }
        var all: [Glance.Place] = []
        for group in self.users[person].memberships {
            guard let slot = self.groups.slot(of: group), let places = self.groups[slot].places else { continue }
            for told in places.told where self.now - told.at <= GroupPlaces.glanceAge {
                guard let place = places[told.place], place.consent(of: told.user)?.includes(viewer) == true,
                    !place.muted.contains(viewer), !self.isBlocked(viewer, told.user),
                    !unseen.contains(where: { $0.content.tells(place.id, of: told.user) }),
                    let teller = self.users.slot(of: told.user)
                else { continue }
                all.append(
                    Glance.Place(
                        user: told.user,
                        name: self.users[teller].profile.name,
                        place: place.name,
                        state: told.hasArrived ? .arrived : .left,
                        at: told.at
                    )
                )
            }
        }
        return Array(all.sorted { ($0.at, $0.user) > ($1.at, $1.user) }.prefix(Glance.mostPlaces))
    }

    /// The members inside a place who notify a user, by id.
    private func here(at place: GroupPlace, for user: UserID) -> [GroupPlaceSight.Present] {
        place.consents.sorted { $0.user < $1.user }.compactMap { consent in
            guard consent.includes(user), !self.isBlocked(user, consent.user),
                let slot = self.arrivals.slot(of: consent.user),
                let standing = self.arrivals[slot].rule.standings.first(where: { $0.place == place.id }),
                standing.told == .inside
            else { return nil }
            return GroupPlaceSight.Present(user: consent.user, since: standing.since)
        }
    }
}
