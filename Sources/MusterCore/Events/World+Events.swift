// The world stores every event that is not over: its audience, its start, and the time at which it leaves the map.
// Changes are collected during a batch and sent once at its end, even when an event changes several times.

extension World {
    /// The time before the start at which a public event appears on the map, in milliseconds.
    static let eventsAhead: Int64 = 30 * 86_400_000
    /// The time before the start at which reminders are sent, in milliseconds.
    static let reminderAhead: Int64 = 3_600_000

    /// Processes a change or request about events.
    mutating func note(_ input: EventInput) {
        switch input {
        case .changed(let snapshot): for each in snapshot { self.change(each) }
        case .removed(let ids):
            for id in ids {
                self.dropRoom(of: id)
                self.removeEvent(id)
            }
        case .loaded: self.effects.append(.clusters(.loadEnded(.events)))
        case .subscribed(let session, let tag, let subscription):
            self.subscribeToEvents(subscription, on: session, tag: tag)
        }
    }

    /// Stores the current state of an event.
    mutating func change(_ snapshot: EventSnapshot) {
        let event = snapshot.event
        self.updateMembers(event)
        guard event.state(at: self.now) == .planned || self.events[event.id] != nil else { return }
        guard self.events.put(snapshot) else { return }
        self.showOnMap(event.id)
        self.scheduleEvent(event.id)
    }

    /// Removes a deleted event.
    mutating func removeEvent(_ id: EventID) {
        guard let entry = self.events.remove(id) else { return }
        self.hideFromMap(entry)
        self.deadlines.cancel(.event(id))
    }

    /// Processes a due event: sends reminders, updates the map, or removes the event.
    mutating func meetDeadline(of id: EventID) {
        guard let event = self.events[id]?.snapshot.event else { return }
        if event.state(at: self.now) != .planned {
            self.removeEvent(id)
        } else {
            self.remind(of: event)
            self.showOnMap(id)
            self.scheduleEvent(id)
        }
    }

    private mutating func scheduleEvent(_ id: EventID) {
        guard let entry = self.events[id] else { return }
        let event = entry.snapshot.event
        var moments = [event.endsAt]
        // A moment that had passed before the event was known is due now.
        let reminder = event.startsAt - Self.reminderAhead
        if event.startsAt > self.now, entry.remindedOf != event.startsAt { moments.append(reminder) }
        if event.group == nil, !entry.isOnMap { moments.append(event.startsAt - Self.eventsAhead) }
        if event.state(at: self.now) != .planned { moments.append(self.now) }
        self.deadlines.cancel(.event(id))
        if let next = moments.min() { self.deadlines.schedule(.event(id), at: next) }
    }

    // MARK: Reminders

    /// Reminds the host and the guests who accepted that an event begins within the hour.
    ///
    /// Guests who accepted after that moment get no reminder.
    private mutating func remind(of event: Event) {
        let moment = event.startsAt - Self.reminderAhead
        guard moment <= self.now, self.now < event.startsAt, self.events[event.id]?.remindedOf != event.startsAt else {
            return
        }
        self.events.setReminded(event.id, of: event.startsAt)
        var users = event.guests.filter { $0.rsvp == .yes && $0.askedAt < moment }.map(\.user)
        if event.createdAt < moment, !users.contains(event.host.id) { users.append(event.host.id) }
        let content = NotificationContent(
            .eventSoon,
            of: event,
            subject: "soon:\(event.startsAt.milliseconds)",
            at: self.now
        )
        for user in users.sorted() { self.store(content, for: user) }
    }

    // MARK: Maps

    /// Shows an event on the map of its audience, once its time has come.
    private mutating func showOnMap(_ id: EventID) {
        guard let entry = self.events[id] else { return }
        let event = entry.snapshot.event
        let isPlanned = event.state(at: self.now) == .planned
        guard let group = event.group else {
            let isShown = isPlanned && event.startsAt - Self.eventsAhead <= self.now
            if isShown {
                // The event may have just hidden its exact place.
                let points = [TilePoint(event)]
                self.effects.append(.clusters(event.hidesPlace ? .narrowed(.events, points) : .put(.events, points)))
            } else if entry.isOnMap {
                self.effects.append(.clusters(.removed(.events, [id.rawValue])))
            }
            return self.events.setOnMap(id, isShown)
        }
        guard self.events.shownGroups.contains(group) else { return }
        let move = TileMove(id: id.rawValue, point: isPlanned ? TilePoint(event) : nil, isNarrower: event.hidesPlace)
        self.effects.append(.clusters(.moved(.events(of: group), [move])))
    }

    private mutating func hideFromMap(_ entry: EventTable.Entry) {
        let id = entry.snapshot.event.id.rawValue
        if let group = entry.snapshot.event.group {
            guard self.events.shownGroups.contains(group) else { return }
            let move = TileMove(id: id, point: nil, isNarrower: true)
            self.effects.append(.clusters(.moved(.events(of: group), [move])))
        } else if entry.isOnMap {
            self.effects.append(.clusters(.removed(.events, [id])))
        }
    }

    /// Starts to send a group's events to the cluster service, for a session that queries them.
    mutating func openEvents(of group: GroupID, _ layer: TileLayer) {
        guard self.events.show(group) else { return }
        let events = self.events.events(of: group).map(\.snapshot.event).filter { $0.state(at: self.now) == .planned }
        self.effects.append(.clusters(.opened(layer, events.map { TilePoint($0) })))
    }

    /// Stops sending a group's events to the cluster service when the group is unloaded.
    mutating func closeEvents(of group: GroupID) {
        if self.events.hide(group) { self.effects.append(.clusters(.closed(.events(of: group)))) }
    }
}
