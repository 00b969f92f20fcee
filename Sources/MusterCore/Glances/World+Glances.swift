// Every change that may affect a glance marks it. The tick processes the marked ones, each at the earliest ten seconds
// after its last message. It makes the glance and sends it if a person would notice the difference: see
// `Glance+Noticing.swift`. A moving user marks their wearable once per `glanceStride` metres, and the nearest spots are
// queried again as rarely. So a wearable costs nothing between steps, and noise at the edge of the spot list changes
// nothing.
//
// Spot texts are read from storage, once for all wearables that show them. Vote counts arrive by the same path as for
// sessions that were sent the spots. The first glance waits a moment for the texts.

extension World {
    /// The minimum time between two glances of a session, in milliseconds.
    static let glanceInterval: Int64 = 10_000
    /// The maximum distance of a spot in a glance, in metres.
    static let glanceReach = 5_000.0
    /// The distance a user moves before their wearable is marked, in metres.
    static let glanceStride = 50.0
    /// The time for which a glance waits for spot texts, in milliseconds.
    static let spotTextsWait: Int64 = 2_000
    /// The pause after a failed query for spot texts, in milliseconds.
    static let spotTextsPause: Int64 = 5_000

    /// Sends a wearable its new glance, if a person would notice the difference and the interval is over; at the end of
    /// a batch.
    ///
    /// A wearable that reconnects continues from the glance made at `known`, which it still shows.
    mutating func showGlance(on session: SessionID, holding known: Timestamp?) {
        if self.glances[session] == nil, !self.beginGlances(on: session, holding: known) { return }
        self.look(on: session)
    }

    /// Ends the glances of a closing session.
    ///
    /// The last one is kept while the user stays loaded.
    mutating func endGlances(on session: SessionID, of owner: SessionState) {
        guard let state = self.glances.removeValue(forKey: session) else { return }
        if let glance = state.last, let person = self.users.slot(of: owner.user) {
            self.users[person].disconnectedGlance = GlanceState.Disconnected(device: owner.device, glance: glance)
        }
        self.glanceSpots.show([], on: session, insteadOf: state.listed)
        self.areas.remove(AreaInterest(session, .glances))
        self.deadlines.cancel(.glance(session))
    }

    // MARK: Marking

    /// Marks the wearables of a user.
    mutating func markGlances(of person: Int) {
        guard self.users[person].hasWearable else { return }
        for session in self.users[person].sessions { self.markGlance(on: session) }
    }

    /// Marks the wearables of a group's members.
    mutating func markGlances(in slot: Int) {
        guard !self.glances.isEmpty else { return }
        for user in self.groups[slot].memberIDs {
            if let person = self.users.slot(of: user) { self.markGlances(of: person) }
        }
    }

    /// Marks the wearables of a user who has moved far enough.
    mutating func markGlances(of person: Int, at position: Coordinate) {
        guard self.users[person].hasWearable else { return }
        for session in self.users[person].sessions {
            let from = self.glances[session]?.lookedFrom
            if from?.isWithin(Self.glanceStride, of: position) != true { self.markGlance(on: session) }
        }
    }

    /// Marks the wearables near new spots.
    mutating func markGlances(near places: [NamedPlace]) {
        guard !self.glances.isEmpty else { return }
        for place in places {
            for hit in self.areas.hits(at: place.coordinate, of: .glances) { self.markList(on: hit.interest.session) }
        }
    }

    /// Marks the wearables that show a deleted spot.
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

    // MARK: Processing

    private mutating func beginGlances(on session: SessionID, holding known: Timestamp?) -> Bool {
        guard let slot = self.sessions.slot(of: session), let person = self.users.slot(of: self.sessions[slot].user)
        else { return false }
        var state = GlanceState()
        if let disconnected = self.users[person].disconnectedGlance, disconnected.device == self.sessions[slot].device,
            disconnected.glance.at == known
        {
            state.last = disconnected.glance
            state.lastSentAt = known.map { min($0, self.now) }
            self.users[person].disconnectedGlance = nil
        }
        self.glances[session] = state
        self.users[person].hasWearable = true
        let area = Area.around(self.users.keys[person], radius: Self.glanceReach)
        self.areas.insert(AreaInterest(session, .glances), area, at: self.users[person].shown?.fix.coordinate)
        return true
    }

    private mutating func look(on session: SessionID) {
        guard var state = self.glances[session], let slot = self.sessions.slot(of: session),
            let person = self.users.slot(of: self.sessions[slot].user)
        else { return }
        if let next = state.lastSentAt.map({ $0 + Self.glanceInterval }), self.now < next {
            self.schedule(.glance(session), later: next)
            return
        }
        let position = self.users[person].shown?.fix.coordinate
        self.list(&state, on: session, around: position)
        let unknown = self.glanceSpots.ask(of: state.listed, at: self.now)
        if !unknown.isEmpty { self.effects.append(.ask(.spotTexts(unknown))) }
        if self.mustWait(&state) {
            state.isMarked = true
            self.glances[session] = state
            self.schedule(.glance(session), later: state.spotsAwaitedUntil ?? self.now)
            return
        }
        state.isMarked = false
        state.lookedFrom = position
        let glance = self.makeGlance(of: person, around: position, with: state.listed).fitted()
        if glance.isNoticeable(from: state.last) {
            state.last = glance
            state.lastSentAt = self.now
            self.totals.glances += 1
            self.effects.append(.glance(session, glance))
        } else {
            self.totals.unnoticedGlances += 1
        }
        self.glances[session] = state
        if let retry = self.glanceSpots.retry(of: state.listed) {
            self.schedule(.glance(session), later: retry)
        }
    }

    /// Finds the spots nearest to the user, if the list may have changed.
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

    /// Whether a glance must wait for the texts of its spots.
    private func mustWait(_ state: inout GlanceState) -> Bool {
        guard self.glanceSpots.isAwaited(of: state.listed) else {
            state.spotsAwaitedUntil = nil
            return false
        }
        let until = state.spotsAwaitedUntil ?? self.now + Self.spotTextsWait
        state.spotsAwaitedUntil = until
        return self.now < until
    }

    // MARK: Spot texts

    /// Stores spot texts and sends them to the wearables that wait for them.
    mutating func learn(_ texts: [SpotText], of spots: [SpotID]) {
        self.glanceSpots.learn(texts, of: spots)
        for spot in spots {
            for session in self.glanceSpots.sessions(of: spot) { self.recount(spot, for: session) }
        }
        self.endWait(for: spots)
    }

    /// Schedules another query after a failure, and sends the waiting wearables what is known.
    mutating func failTexts(of spots: [SpotID]) {
        self.glanceSpots.fail(spots, until: self.now + Self.spotTextsPause)
        self.endWait(for: spots)
    }

    /// Applies new vote counts to the glances that show the spot.
    mutating func showVotes(_ votes: SpotVotes) {
        guard self.glanceSpots.count(votes) else { return }
        for session in self.glanceSpots.sessions(of: votes.spot) { self.markGlance(on: session) }
    }

    private mutating func endWait(for spots: [SpotID]) {
        for session in Set(spots.flatMap { self.glanceSpots.sessions(of: $0) }).sorted() {
            // Waiting wearables are processed at the end of the batch, like newly admitted ones.
            if self.glances[session]?.spotsAwaitedUntil != nil {
                self.attend(session)
            } else {
                self.markGlance(on: session)
            }
        }
    }

    // MARK: Making glances

    private func makeGlance(of person: Int, around position: Coordinate?, with listed: [NamedPlace]) -> Glance {
        let spots = listed.compactMap { place -> Glance.Spot? in
            guard let position, let text = self.glanceSpots.text(of: place.spot) else { return nil }
            return Glance.Spot(text, coordinate: place.coordinate, distance: place.coordinate.distance(to: position))
        }
        return Glance(
            at: self.now,
            groups: self.users[person].memberships.compactMap { self.glance(at: $0, of: person, from: position) },
            spots: spots.sorted { ($0.distance, $0.text.spot) < ($1.distance, $1.text.spot) },
            places: self.glancePlaces(of: person),
            notifications: self.glanceNotifications(of: person)
        )
    }

    private func glance(at group: GroupID, of person: Int, from position: Coordinate?) -> Glance.Group? {
        guard let slot = self.groups.slot(of: group) else { return nil }
        var glance = Glance.Group(id: group, name: self.groups[slot].name, of: self.groups[slot].memberIDs.count)
        // The published gathering, which excludes members who hide their position.
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
