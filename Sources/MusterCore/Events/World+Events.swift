// The world stores every event that is not over: its audience, its start, and the time at which it leaves the map.
// Changes are collected during a batch and sent once at its end, even when an event changes several times.

extension World {
    /// The time before the start at which a public event appears on the map, in milliseconds.
    static let eventsAhead: Int64 = 30 * 86_400_000
    /// The time before the start at which reminders are sent, in milliseconds.
    static let reminderAhead: Int64 = 3_600_000

    /// Processes a change or request about events.
    mutating func note(_ input: EventInput, into effects: inout [WorldEffect]) {
        switch input {
        case .changed(let snapshot): for each in snapshot { self.change(each, into: &effects) }
        case .removed(let ids):
            for id in ids {
                self.dropRoom(of: id, into: &effects)
                self.removeEvent(id, into: &effects)
            }
        case .loaded: effects.append(.clusters(.loadEnded(.events)))
        case .subscribed(let session, let tag, let subscription):
            self.subscribeToEvents(subscription, on: session, tag: tag, into: &effects)
        }
    }

    /// Stores the current state of an event.
    mutating func change(_ snapshot: EventSnapshot, into effects: inout [WorldEffect]) {
        let event = snapshot.event
        self.updateMembers(event, into: &effects)
        guard event.state(at: self.now) == .planned || self.events[event.id] != nil else { return }
        guard self.events.put(snapshot) else { return }
        self.showOnMap(event.id, into: &effects)
        self.scheduleEvent(event.id)
    }

    /// Removes a deleted event.
    mutating func removeEvent(_ id: EventID, into effects: inout [WorldEffect]) {
        guard let entry = self.events.remove(id) else { return }
        self.hideFromMap(entry, into: &effects)
        self.deadlines.cancel(.event(id))
    }

    /// Processes a due event: sends reminders, updates the map, or removes the event.
    mutating func meetDeadline(of id: EventID, into effects: inout [WorldEffect]) {
        guard let event = self.events[id]?.snapshot.event else { return }
        if event.state(at: self.now) != .planned {
            self.removeEvent(id, into: &effects)
        } else {
            self.remind(of: event, into: &effects)
            self.showOnMap(id, into: &effects)
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
    private mutating func remind(of event: Event, into effects: inout [WorldEffect]) {
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
        for user in users.sorted() { self.store(content, for: user, into: &effects) }
    }

    // MARK: Maps

    /// Shows an event on the map of its audience, once its time has come.
    private mutating func showOnMap(_ id: EventID, into effects: inout [WorldEffect]) {
        guard let entry = self.events[id] else { return }
        let event = entry.snapshot.event
        let isPlanned = event.state(at: self.now) == .planned
        guard let group = event.group else {
            let isShown = isPlanned && event.startsAt - Self.eventsAhead <= self.now
            if isShown {
                // The event may have just hidden its exact place.
                let points = [TilePoint(event)]
                effects.append(.clusters(event.hidesPlace ? .narrowed(.events, points) : .put(.events, points)))
            } else if entry.isOnMap {
                effects.append(.clusters(.removed(.events, [id.rawValue])))
            }
            return self.events.setOnMap(id, isShown)
        }
        guard self.events.shownGroups.contains(group) else { return }
        let move = TileMove(id: id.rawValue, point: isPlanned ? TilePoint(event) : nil, isNarrower: event.hidesPlace)
        effects.append(.clusters(.moved(.events(of: group), [move])))
    }

    private func hideFromMap(_ entry: EventTable.Entry, into effects: inout [WorldEffect]) {
        let id = entry.snapshot.event.id.rawValue
        if let group = entry.snapshot.event.group {
            guard self.events.shownGroups.contains(group) else { return }
            let move = TileMove(id: id, point: nil, isNarrower: true)
            effects.append(.clusters(.moved(.events(of: group), [move])))
        } else if entry.isOnMap {
            effects.append(.clusters(.removed(.events, [id])))
        }
    }

    /// Starts to send a group's events to the cluster service, for a session that queries them.
    mutating func openEvents(of group: GroupID, _ layer: TileLayer, into effects: inout [WorldEffect]) {
        guard self.events.show(group) else { return }
        let events = self.events.events(of: group).map(\.snapshot.event).filter { $0.state(at: self.now) == .planned }
        effects.append(.clusters(.opened(layer, events.map { TilePoint($0) })))
    }

    /// Stops sending a group's events to the cluster service when the group is unloaded.
    mutating func closeEvents(of group: GroupID, into effects: inout [WorldEffect]) {
        if self.events.hide(group) { effects.append(.clusters(.closed(.events(of: group)))) }
    }
}
