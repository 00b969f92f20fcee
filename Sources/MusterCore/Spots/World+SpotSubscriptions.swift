extension World {
    /// Processes a change or request about spots.
    mutating func note(_ input: SpotInput) {
        switch input {
        case .added(let places): self.add(places)
        case .deleted(let spots): self.delete(spots)
        case .subscribed(let session, let subscription):
            self.subscribeToSpots(subscription, on: session)
        case .sent(let session, let spots): self.noteSent(spots, to: session)
        case .voted(let spot, let session): self.noteVote(on: spot, by: session)
        }
    }

    /// The pause after a failed query for missed spots, in milliseconds.
    static let catchUpPause: Int64 = 5_000

    /// Subscribes a session to new spots, replacing its earlier subscription, and queries the spots that it missed.
    mutating func subscribeToSpots(_ subscription: SpotSubscription, on session: SessionID) {
        guard let state = self.sessions.value(of: session), !state.isWatch else { return }
        let interest = AreaInterest(session, .spots)
        self.endCatchUp(of: session)
        let radius: Double?
        switch subscription.scope {
        case .none: return self.areas.remove(interest)
        case .all:
            radius = nil
            self.areas.insert(interest, .everywhere)
        case .nearby(let metres):
            radius = metres
            let position = self.users.value(of: state.user)?.shown?.fix.coordinate
            self.areas.insert(interest, .around(state.user, radius: metres), at: position)
        }
        guard let after = subscription.after else { return }
        self.catchUps[session] = SpotCatchUp(after: after, radius: radius)
        self.beginCatchUp(of: session)
    }

    /// Ends the spot subscription of a closing session, and all updates about spots that it was sent.
    mutating func unsubscribe(_ session: SessionID) {
        self.areas.remove(AreaInterest(session, .spots))
        self.sentSpots.remove(session)
        self.endCatchUp(of: session)
    }

    /// The sessions interested in a point, except those of one user, with their distances.
    ///
    /// Distances are measured from the users' exact positions, and each is sent only to the user it belongs to.
    func sessions(subscribedTo subject: AreaSubject, at point: Coordinate, except left: UserID?) -> [NearbySession] {
        self.areas.hits(at: point, of: subject).compactMap { hit in
            guard let slot = self.sessions.slot(of: hit.interest.session), self.sessions[slot].isOpen,
                self.sessions[slot].user != left
            else { return nil }
            let distance = hit.distance ?? self.distance(from: self.sessions[slot].user, to: point)
            return NearbySession(hit.interest.session, distance: distance)
        }
    }

    /// Moves the areas that follow a user, and queries missed spots once an area gets its first position.
    mutating func moveAreas(of person: Int, to position: Coordinate) {
        self.moveEventSubscriptions(of: person, to: position)
        guard self.areas.move(self.users.keys[person], to: position) else { return }
        for session in self.users[person].sessions { self.beginCatchUp(of: session) }
    }

    /// Places the areas of a newly admitted user whose position is known.
    mutating func placeAreas(of person: Int) {
        guard self.areas.count > 0, let position = self.users[person].shown?.fix.coordinate else { return }
        self.moveAreas(of: person, to: position)
    }

    // MARK: Missed spots

    /// Queries storage for the spots that a session missed, once it is admitted and its area has a position.
    mutating func beginCatchUp(of session: SessionID) {
        guard let catchUp = self.catchUps[session], catchUp.query == nil,
            let state = self.sessions.value(of: session), state.isOpen,
            self.areas.isPlaced(AreaInterest(session, .spots))
        else { return }
        var circle: SpotQuery.Circle?
        if let radius = catchUp.radius {
            guard let center = self.users.value(of: state.user)?.shown?.fix.coordinate else { return }
            circle = SpotQuery.Circle(center: center, radius: radius)
        }
        self.lastQuery += 1
        self.catchUps[session]?.query = self.lastQuery
        self.effects.append(
            .ask(
                .missedSpots(
                    SpotQuery(
                        number: self.lastQuery,
                        session: session,
                        user: state.user,
                        after: catchUp.after,
                        circle: circle
                    )
                )
            )
        )
    }

    /// Sends a session the spots that it missed, unless its subscription has changed.
    mutating func catchUp(_ query: SpotQuery, with snapshot: [SpotSnapshot]) {
        guard self.catchUps[query.session]?.query == query.number else { return }
        self.endCatchUp(of: query.session)
        for spot in snapshot where !self.recentEnds.contains(.spot(spot.spot)) {
            let near = NearbySession(query.session, distance: self.distance(from: query.user, to: spot.coordinate))
            self.effects.append(.publishNear([near], .newSpot(spot.spot, frame: spot.frame)))
            self.noteSent([spot.spot], to: query.session)
        }
    }

    /// Schedules another query after a failure.
    mutating func failCatchUp(_ query: SpotQuery) {
        guard self.catchUps[query.session]?.query == query.number else { return }
        self.catchUps[query.session]?.query = nil
        self.deadlines.schedule(.catchUp(query.session), at: self.now + Self.catchUpPause)
    }

    private mutating func endCatchUp(of session: SessionID) {
        guard self.catchUps.removeValue(forKey: session) != nil else { return }
        self.deadlines.cancel(.catchUp(session))
    }

    private func distance(from user: UserID, to point: Coordinate) -> Double? {
        self.users.value(of: user)?.shown?.fix.coordinate.distance(to: point)
    }
}
