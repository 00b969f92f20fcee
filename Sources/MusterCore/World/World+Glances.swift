// Whatever may change a glance marks it; the tick looks at those that are marked, each at most every ten seconds after it was
// sent one, makes the glance and sends it if a person would notice: see `Glance+Noticing.swift`. A person who moves marks
// their watch once in `glanceStride` metres, and the spots near them are found anew as seldom. So a watch costs nothing
// between steps, and noise at the edge of the list of spots changes nothing.
//
// What spots say is read from storage, once for all watches that show them; what changes about them comes by the same counts
// as for those who were sent them. The first glance waits for that for a moment.

extension World {
    /// The least time between two glances of a session, in milliseconds.
    static let glanceInterval: Int64 = 10_000
    /// How far away a spot may be that a watch shows, in metres.
    static let glanceReach = 5_000.0
    /// How far a person moves before their watch is looked at for it, in metres.
    static let glanceStride = 50.0
    /// How long a glance waits for what spots say, in milliseconds.
    static let spotTextsWait: Int64 = 2_000
    /// How long storage is left alone after it could not say what spots say, in milliseconds.
    static let spotTextsPause: Int64 = 5_000

    /// Shows a watch what is new, if a person would notice and it may be sent; at the end of a turn.
    ///
    /// One that comes back goes on from the glance that it holds, made at `held`.
    mutating func showGlance(on session: SessionID, holding held: Timestamp?, into effects: inout [WorldEffect]) {
        if self.glances[session] == nil, !self.beginGlances(on: session, holding: held) { return }
        self.look(on: session, into: &effects)
    }

    /// Ends what a session that goes was shown, and keeps the last of it as long as its person is held.
    mutating func endGlances(on session: SessionID, of owner: SessionState) {
        guard let state = self.glances.removeValue(forKey: session) else { return }
        if let glance = state.last, let person = self.users.slot(of: owner.user) {
            self.users[person].partedGlance = GlanceState.Parted(device: owner.device, glance: glance)
        }
        self.glanceSpots.show([], on: session, insteadOf: state.listed)
        self.areas.remove(AreaInterest(session, .glances))
        self.deadlines.cancel(.glance(session))
    }

    // MARK: Marking

    /// Has the watches of a person looked at.
    mutating func markGlances(of person: Int) {
        guard self.users[person].hasWatch else { return }
        for session in self.users[person].sessions { self.markGlance(on: session) }
    }

    /// Has the watches of a group's members looked at.
    mutating func markGlances(in slot: Int) {
        guard !self.glances.isEmpty else { return }
        for user in self.groups[slot].memberIDs {
            if let person = self.users.slot(of: user) { self.markGlances(of: person) }
        }
    }

    /// Has the watches of a person looked at who has gone some way.
    mutating func markGlances(of person: Int, at position: Coordinate) {
        guard self.users[person].hasWatch else { return }
        for session in self.users[person].sessions {
            let from = self.glances[session]?.lookedFrom
            if from?.isWithin(Self.glanceStride, of: position) != true { self.markGlance(on: session) }
        }
    }

    /// Has the watches near new spots looked at.
    mutating func markGlances(near places: [NamedPlace]) {
        guard !self.glances.isEmpty else { return }
        for place in places {
            for hit in self.areas.hits(at: place.coordinate, of: .glances) { self.markList(on: hit.interest.session) }
        }
    }

    /// Has the watches looked at that show a spot which is gone.
    mutating func markGlances(without spot: SpotID) {
        for session in self.glanceSpots.sessions(of: spot) { self.markList(on: session) }
        self.glanceSpots.remove(spot)
    }

    private mutating func markList(on session: SessionID) {
        self.glances[session]?.isListStale = true
        self.markGlance(on: session)
    }

    private mutating func markGlance(on session: SessionID) {
        guard self.glances[session]?.isMarked == false else { return }
        self.glances[session]?.isMarked = true
        let next = self.glances[session]?.lastSentAt.map { $0 + Self.glanceInterval } ?? self.now
        self.deadlines.schedule(.glance(session), at: max(next, self.now))
    }

    // MARK: Looking

    private mutating func beginGlances(on session: SessionID, holding held: Timestamp?) -> Bool {
        guard let slot = self.sessions.slot(of: session), let person = self.users.slot(of: self.sessions[slot].user)
        else { return false }
        var state = GlanceState()
        if let parted = self.users[person].partedGlance, parted.device == self.sessions[slot].device,
            parted.glance.at == held
        {
            state.last = parted.glance
            state.lastSentAt = held.map { min($0, self.now) }
            self.users[person].partedGlance = nil
        }
        self.glances[session] = state
        self.users[person].hasWatch = true
        let area = Area.around(self.users.keys[person], radius: Self.glanceReach)
        self.areas.insert(AreaInterest(session, .glances), area, at: self.users[person].shown?.fix.coordinate)
        return true
    }

    private mutating func look(on session: SessionID, into effects: inout [WorldEffect]) {
        guard var state = self.glances[session], let slot = self.sessions.slot(of: session),
            let person = self.users.slot(of: self.sessions[slot].user)
        else { return }
        if let next = state.lastSentAt.map({ $0 + Self.glanceInterval }), self.now < next {
            self.schedule(.glance(session), later: next, into: &effects)
            return
        }
        let position = self.users[person].shown?.fix.coordinate
        self.list(&state, on: session, around: position)
        let unknown = self.glanceSpots.ask(of: state.listed, at: self.now)
        if !unknown.isEmpty { effects.append(.spots(.readTexts(unknown))) }
        if self.mustWait(&state) {
            state.isMarked = true
            self.glances[session] = state
            self.schedule(.glance(session), later: state.spotsAwaitedUntil ?? self.now, into: &effects)
            return
        }
        state.isMarked = false
        state.lookedFrom = position
        let glance = self.makeGlance(of: person, around: position, with: state.listed).fitted()
        if glance.isNoticeable(from: state.last) {
            state.last = glance
            state.lastSentAt = self.now
            self.totals.glances += 1
            effects.append(.glance(session, glance))
        } else {
            self.totals.unnoticedGlances += 1
        }
        self.glances[session] = state
        if let retry = self.glanceSpots.retry(of: state.listed) {
            self.schedule(.glance(session), later: retry, into: &effects)
        }
    }

    /// Finds the spots nearest to the person, if there may be others.
    private mutating func list(_ state: inout GlanceState, on session: SessionID, around position: Coordinate?) {
        guard let position else { return }
        let hasMoved = state.listedFrom?.isWithin(Self.glanceStride, of: position) != true
        guard state.isListStale || hasMoved else { return }
        let spots = self.spots.nearest(Glance.mostSpots, to: position, within: Self.glanceReach)
        self.glanceSpots.show(spots, on: session, insteadOf: state.listed)
        state.listed = spots
        state.listedFrom = position
        state.isListStale = false
    }

    /// Whether a glance is to wait for what its spots say.
    private func mustWait(_ state: inout GlanceState) -> Bool {
        guard self.glanceSpots.isAwaited(of: state.listed) else {
            state.spotsAwaitedUntil = nil
            return false
        }
        let until = state.spotsAwaitedUntil ?? self.now + Self.spotTextsWait
        state.spotsAwaitedUntil = until
        return self.now < until
    }

    // MARK: What spots say

    /// Takes in what spots say, and shows it those who wait for it.
    mutating func learn(_ texts: [SpotText], of spots: [SpotID]) {
        self.glanceSpots.learn(texts, of: spots)
        for spot in spots {
            for session in self.glanceSpots.sessions(of: spot) { self.recount(spot, for: session) }
        }
        self.endWait(for: spots)
    }

    /// Has storage asked again later, and shows those who wait for it what there is.
    mutating func failTexts(of spots: [SpotID]) {
        self.glanceSpots.fail(spots, until: self.now + Self.spotTextsPause)
        self.endWait(for: spots)
    }

    /// Takes in how many like a spot that watches show.
    mutating func showVotes(_ votes: SpotVotes) {
        guard self.glanceSpots.count(votes) else { return }
        for session in self.glanceSpots.sessions(of: votes.spot) { self.markGlance(on: session) }
    }

    private mutating func endWait(for spots: [SpotID]) {
        for session in Set(spots.flatMap { self.glanceSpots.sessions(of: $0) }).sorted() {
            // The end of the turn looks at those who wait, as at those who have just come in.
            if self.glances[session]?.spotsAwaitedUntil != nil {
                self.attend(session)
            } else {
                self.markGlance(on: session)
            }
        }
    }

    // MARK: Making

    private func makeGlance(of person: Int, around position: Coordinate?, with listed: [NamedPlace]) -> Glance {
        let spots = listed.compactMap { place -> Glance.Spot? in
            guard let position, let text = self.glanceSpots.text(of: place.spot) else { return nil }
            return Glance.Spot(text, coordinate: place.coordinate, distance: place.coordinate.distance(to: position))
        }
        return Glance(
            at: self.now,
            groups: self.users[person].memberships.compactMap { self.glance(at: $0, of: person, from: position) },
            spots: spots.sorted { ($0.distance, $0.text.spot) < ($1.distance, $1.text.spot) },
            notifications: self.glanceNotifications(of: person)
        )
    }

    private func glance(at group: GroupID, of person: Int, from position: Coordinate?) -> Glance.Group? {
        guard let slot = self.groups.slot(of: group) else { return nil }
        var glance = Glance.Group(id: group, name: self.groups[slot].name, of: self.groups[slot].memberIDs.count)
        // What the group was told, which knows of nobody who hides where they are.
        guard let gathering = self.groups[slot].gathering else { return glance }
        glance.together = gathering.together.count
        glance.you = gathering.together.contains(self.users.keys[person]) ? .in : .out
        glance.place = GatheringPlace(lat: gathering.place.lat, lon: gathering.place.lon, name: gathering.place.name)
        let place = Coordinate(latitude: gathering.place.lat, longitude: gathering.place.lon)
        glance.distance = position.map { $0.distance(to: place) }
        return glance
    }

    private func glanceNotifications(of person: Int) -> [Glance.Notification] {
        let known = self.users[person].inbox.unseen.lazy.reversed().compactMap { notification -> Glance.Notification? in
            guard let kind = NotificationKind.named(notification.content.kind), self.concerns(notification, person)
            else { return nil }
            let content = self.named(notification).content
            return Glance.Notification(
                number: notification.number,
                kind: kind.name,
                group: content.group,
                text: kind.text(of: content)
            )
        }
        return Array(known.prefix(Glance.mostNotifications))
    }
}
