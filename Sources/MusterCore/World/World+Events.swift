// The world knows every event that is not over: who is told of it, when it begins, and when it leaves the map. What changes is
// noted as it comes and told once when the turn ends, however often it changed.

extension World {
    /// How long before its beginning an event comes onto everybody's map, in milliseconds.
    static let eventsAhead: Int64 = 30 * 86_400_000
    /// How long before its beginning people are reminded of an event, in milliseconds.
    static let reminderAhead: Int64 = 3_600_000

    /// Takes in what happened to events.
    mutating func note(_ input: EventInput, into effects: inout [WorldEffect]) {
        switch input {
        case .changed(let news): for each in news { self.change(each, into: &effects) }
        case .removed(let ids):
            for id in ids {
                self.dropRoom(of: id, into: &effects)
                self.removeEvent(id, into: &effects)
            }
        case .loaded: effects.append(.atlas(.loadEnded(.events)))
        case .watched(let session, let tag, let watch): self.watchEvents(watch, on: session, tag: tag, into: &effects)
        }
    }

    /// Takes in an event as it is now.
    mutating func change(_ news: EventNews, into effects: inout [WorldEffect]) {
        let event = news.event
        self.seat(event, into: &effects)
        guard event.state(at: self.now) == .planned || self.events[event.id] != nil else { return }
        guard self.events.put(news) else { return }
        self.showOnMap(event.id, into: &effects)
        self.scheduleEvent(event.id)
    }

    /// Forgets an event that was deleted.
    mutating func removeEvent(_ id: EventID, into effects: inout [WorldEffect]) {
        guard let entry = self.events.remove(id) else { return }
        self.hideFromMap(entry, into: &effects)
        self.deadlines.cancel(.event(id))
    }

    /// Does what is due for an event: reminds of it, shows it, lets it go.
    mutating func meetDeadline(of id: EventID, into effects: inout [WorldEffect]) {
        guard let event = self.events[id]?.news.event else { return }
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
        let event = entry.news.event
        var moments = [event.endsAt]
        // What was due before the event was known is due now.
        let reminder = event.startsAt - Self.reminderAhead
        if event.startsAt > self.now, entry.remindedOf != event.startsAt { moments.append(reminder) }
        if event.group == nil, !entry.isOnMap { moments.append(event.startsAt - Self.eventsAhead) }
        if event.state(at: self.now) != .planned { moments.append(self.now) }
        self.deadlines.cancel(.event(id))
        if let next = moments.min() { self.deadlines.schedule(.event(id), at: next) }
    }

    // MARK: Reminders

    /// Tells the host and those who come that an event begins within the hour; nobody who said so after that moment.
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

    /// Shows an event on the maps of those who may see it, when its time has come.
    private mutating func showOnMap(_ id: EventID, into effects: inout [WorldEffect]) {
        guard let entry = self.events[id] else { return }
        let event = entry.news.event
        let isPlanned = event.state(at: self.now) == .planned
        guard let group = event.group else {
            let isShown = isPlanned && event.startsAt - Self.eventsAhead <= self.now
            if isShown {
                // It may just have begun to hide its place.
                let points = [TilePoint(event)]
                effects.append(.atlas(event.hidesPlace ? .narrowed(.events, points) : .put(.events, points)))
            } else if entry.isOnMap {
                effects.append(.atlas(.removed(.events, [id.rawValue])))
            }
            return self.events.setOnMap(id, isShown)
        }
        guard self.events.shownGroups.contains(group) else { return }
        let move = TileMove(id: id.rawValue, point: isPlanned ? TilePoint(event) : nil, isNarrower: event.hidesPlace)
        effects.append(.atlas(.moved(.events(of: group), [move])))
    }

    private func hideFromMap(_ entry: EventTable.Entry, into effects: inout [WorldEffect]) {
        let id = entry.news.event.id.rawValue
        if let group = entry.news.event.group {
            guard self.events.shownGroups.contains(group) else { return }
            let move = TileMove(id: id, point: nil, isNarrower: true)
            effects.append(.atlas(.moved(.events(of: group), [move])))
        } else if entry.isOnMap {
            effects.append(.atlas(.removed(.events, [id])))
        }
    }

    /// Begins to tell the atlas of the events of a group, for one who looks at them.
    mutating func openEvents(of group: GroupID, _ layer: TileLayer, into effects: inout [WorldEffect]) {
        guard self.events.show(group) else { return }
        let events = self.events.events(of: group).map(\.news.event).filter { $0.state(at: self.now) == .planned }
        effects.append(.atlas(.opened(layer, events.map { TilePoint($0) })))
    }

    /// Ends that, for a group that is not held any more.
    mutating func closeEvents(of group: GroupID, into effects: inout [WorldEffect]) {
        if self.events.hide(group) { effects.append(.atlas(.closed(.events(of: group)))) }
    }
}
