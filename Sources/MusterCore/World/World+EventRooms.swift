// An event determines the members of its room: the host, and the guests who accepted, answered maybe or are on the
// waiting list. The world keeps the membership of every room that a session follows, even after the event is over. Each
// change of an event adds members to its room or removes them.

extension World {
    /// Applies an event's guest list to the members of its room.
    mutating func seat(_ event: Event, into effects: inout [WorldEffect]) {
        let id = event.id.room
        for guest in event.guests where !guest.isConcerned && guest.user != event.host.id {
            self.withdrawNotifications(about: id, of: guest.user, into: &effects)
        }
        guard !self.chat.sessions.isEmpty else { return }
        var members = Set(event.guests.lazy.filter(\.isConcerned).map(\.user))
        members.insert(event.host.id)
        let seats = ChatState.EventSeats(revision: event.revision, members: members)
        if let announced = self.chat.awaited[id], announced.seats.map({ $0.revision < event.revision }) ?? true {
            self.chat.awaited[id]?.seats = seats
        }
        if let known = self.chat.rooms[id]?.seats {
            guard known.revision <= event.revision else { return }
            self.chat.rooms[id]?.seats = seats
            self.chat.rooms[id]?.seats?.later = known.later.filter { $0.value > event.revision }
            self.unseat(from: id, into: &effects)
        }
        for user in members.sorted() {
            for session in self.chatSessions(of: user, except: nil)
            where self.chat.sessions[session]?.followed.contains(id) == false {
                if self.chat.sessions[session]?.readings == 0 {
                    self.beginRoom(id, of: session, into: &effects)
                } else {
                    self.chat.sessions[session]?.entered.insert(id)
                }
            }
        }
        self.readOn(id, into: &effects)
    }

    /// Removes the room of a deleted event from all its members.
    mutating func dropRoom(of event: EventID, into effects: inout [WorldEffect]) {
        let id = event.room
        // A query under way for the room must not add a member any more.
        self.chat.awaited[id]?.seats = ChatState.EventSeats(revision: .max, members: [])
        var people = Set(self.events[event]?.standings.keys.map { $0 } ?? [])
        if let host = self.events[event]?.news.event.host.id { people.insert(host) }
        if let room = self.chat.rooms[id], room.seats != nil {
            for session in room.followers {
                if let user = self.sessions.value(of: session)?.user { people.insert(user) }
            }
            self.loseRoom(id, by: room.followers.sorted(), into: &effects)
        }
        for user in people.sorted() { self.withdrawNotifications(about: id, of: user, into: &effects) }
    }

    /// Whether a user whom storage found in an event's room, at a revision, is still a member by the newer revisions
    /// known here.
    func isSeated(_ user: UserID, in id: RoomID, since revision: Int64, announced: ChatState.EventSeats?) -> Bool {
        [self.chat.rooms[id]?.seats, announced].allSatisfy { seats in
            guard let seats, seats.revision > revision, let members = seats.members else { return true }
            return members.contains(user)
        }
    }

    /// Queries the event rooms that storage found for a session, and removes those that its user has lost.
    mutating func showOthers(
        _ read: RoomsRead,
        to reading: RoomsReading,
        mine: [RoomID],
        into effects: inout [WorldEffect]
    ) {
        var lost = Set(reading.isFirst ? Array(reading.resume.keys) : reading.rooms)
        lost.subtract(mine)
        lost.subtract(read.others)
        for room in lost.sorted() where reading.resume[room] != nil {
            effects.append(.chat(.gone([reading.session], room)))
        }
        guard !read.others.isEmpty else { return }
        let resume = reading.resume.filter { read.others.contains($0.key) }
        self.read(
            RoomsReading(session: reading.session, user: reading.user, rooms: read.others, resume: resume),
            into: &effects
        )
    }

    /// Marks a storage query of a session as finished, and queries rooms that may have been too new for it.
    mutating func endReading(of session: SessionID, into effects: inout [WorldEffect]) {
        guard var state = self.chat.sessions[session] else { return }
        state.readings -= 1
        let entered = state.readings == 0 ? state.entered.subtracting(state.followed).sorted() : []
        if state.readings == 0 { state.entered = [] }
        self.chat.sessions[session] = state
        for room in entered { self.beginRoom(room, of: session, into: &effects) }
    }

    private mutating func unseat(from id: RoomID, into effects: inout [WorldEffect]) {
        guard let room = self.chat.rooms[id], let seats = room.seats, let members = seats.members else { return }
        let lost = room.followers.filter { session in
            guard let user = self.sessions.value(of: session)?.user else { return true }
            return !members.contains(user) && seats.later[user] == nil
        }
        if !lost.isEmpty { self.loseRoom(id, by: lost.sorted(), into: &effects) }
    }

    private mutating func withdrawNotifications(
        about room: RoomID,
        of user: UserID,
        into effects: inout [WorldEffect]
    ) {
        let name = room.description
        self.withdrawNotifications(of: user, into: &effects) { $0.content.payload["room"]?.text == name }
    }
}

extension ChatState.Room {
    /// Records that storage found a user in the room of an event at a revision.
    mutating func seat(_ user: UserID, since revision: Int64, announced: ChatState.EventSeats?) {
        var seats = self.seats ?? ChatState.EventSeats(revision: revision)
        if let announced, announced.revision > seats.revision {
            seats.revision = announced.revision
            seats.members = announced.members
        }
        if revision > seats.revision { seats.later[user] = revision }
        self.seats = seats
    }
}
