// Who is in the room of an event is said by the event: its host, and the guests who come, might come or wait. The world holds it
// of rooms that somebody follows, also when the event is over; what is told of events takes people out and lets them in.

extension World {
    /// Lets in and takes out of the room of an event whoever comes now, or does not.
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

    /// Takes the room of an event that was deleted from all who are in it.
    mutating func dropRoom(of event: EventID, into effects: inout [WorldEffect]) {
        let id = event.room
        // Whoever is being read into it comes too late.
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

    /// Whether a person whom storage found in the room of an event, under a revision, is there as far as is known here.
    func isSeated(_ user: UserID, in id: RoomID, since revision: Int64, announced: ChatState.EventSeats?) -> Bool {
        [self.chat.rooms[id]?.seats, announced].allSatisfy { seats in
            guard let seats, seats.revision > revision, let members = seats.members else { return true }
            return members.contains(user)
        }
    }

    /// Asks for the rooms of events that storage found for a session, and takes back those that its person has lost since.
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

    /// Notes that storage has answered a session, and asks for rooms that it may have been too early for.
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
    /// Notes that storage found somebody in the room of an event under a revision.
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
