// An event determines the members of its room: the host, and the guests who accepted, answered maybe or are on the
// waiting list. The world keeps the membership of every room that a session follows, even after the event is over. Each
// change of an event adds members to its room or removes them.

extension World {
    /// Applies an event's guest list to the members of its room.
    mutating func updateMembers(_ event: Event) {
        let id = event.id.room
        for guest in event.guests where !guest.isConcerned && guest.user != event.host.id {
            self.withdrawNotifications(about: id, of: guest.user)
        }
        guard !self.chat.sessions.isEmpty else { return }
        var members = Set(event.guests.lazy.filter(\.isConcerned).map(\.user))
        members.insert(event.host.id)
        let eventMembers = ChatState.EventMembers(revision: event.revision, members: members)
        if let announced = self.chat.awaited[id], announced.eventMembers.map({ $0.revision < event.revision }) ?? true {
            self.chat.awaited[id]?.eventMembers = eventMembers
        }
        if let known = self.chat.rooms[id]?.eventMembers {
            guard known.revision <= event.revision else { return }
            self.chat.rooms[id]?.eventMembers = eventMembers
            self.chat.rooms[id]?.eventMembers?.later = known.later.filter { $0.value > event.revision }
            self.removeFormerMembers(of: id)
        }
        for user in members.sorted() {
            for session in self.chatSessions(of: user, except: nil)
            where self.chat.sessions[session]?.followed.contains(id) == false {
                if self.chat.sessions[session]?.queries == 0 {
                    self.beginRoom(id, of: session)
                } else {
                    self.chat.sessions[session]?.entered.insert(id)
                }
            }
        }
        self.readOn(id)
    }

    /// Removes the room of a deleted event from all its members.
    mutating func dropRoom(of event: EventID) {
        let id = event.room
        // A query under way for the room must not add a member any more.
        self.chat.awaited[id]?.eventMembers = ChatState.EventMembers(revision: .max, members: [])
        var people = Set(self.events[event]?.rsvpStatuses.keys.map { $0 } ?? [])
        if let host = self.events[event]?.snapshot.event.host.id { people.insert(host) }
        if let room = self.chat.rooms[id], room.eventMembers != nil {
            for session in room.followers {
                if let user = self.sessions.value(of: session)?.user { people.insert(user) }
            }
            self.loseRoom(id, by: room.followers.sorted())
        }
        for user in people.sorted() { self.withdrawNotifications(about: id, of: user) }
    }

    /// Whether a user whom storage found in an event's room, at a revision, is still a member by the newer revisions
    /// known here.
    func isMember(_ user: UserID, in id: RoomID, since revision: Int64, announced: ChatState.EventMembers?) -> Bool {
        [self.chat.rooms[id]?.eventMembers, announced].allSatisfy { eventMembers in
            guard let eventMembers, eventMembers.revision > revision, let members = eventMembers.members else {
                return true
            }
            return members.contains(user)
        }
    }

    /// Queries the event rooms that storage found for a session, and removes those that its user has lost.
    mutating func showOthers(_ read: RoomsRead, to query: RoomsQuery, mine: [RoomID]) {
        var lost = Set(query.isFirst ? Array(query.resume.keys) : query.rooms)
        lost.subtract(mine)
        lost.subtract(read.others)
        for room in lost.sorted() where query.resume[room] != nil {
            self.effects.append(.chat(.gone([query.session], room)))
        }
        guard !read.others.isEmpty else { return }
        let resume = query.resume.filter { read.others.contains($0.key) }
        self.read(RoomsQuery(session: query.session, user: query.user, rooms: read.others, resume: resume))
    }

    /// Marks a storage query of a session as finished, and queries rooms that may have been too new for it.
    mutating func endReading(of session: SessionID) {
        guard var state = self.chat.sessions[session] else { return }
        state.queries -= 1
        let entered = state.queries == 0 ? state.entered.subtracting(state.followed).sorted() : []
        if state.queries == 0 { state.entered = [] }
        self.chat.sessions[session] = state
        for room in entered { self.beginRoom(room, of: session) }
    }

    private mutating func removeFormerMembers(of id: RoomID) {
        guard let room = self.chat.rooms[id], let eventMembers = room.eventMembers, let members = eventMembers.members
        else { return }
        let lost = room.followers.filter { session in
            guard let user = self.sessions.value(of: session)?.user else { return true }
            return !members.contains(user) && eventMembers.later[user] == nil
        }
        if !lost.isEmpty { self.loseRoom(id, by: lost.sorted()) }
    }

    private mutating func withdrawNotifications(about room: RoomID, of user: UserID) {
        let name = room.description
        self.withdrawNotifications(of: user) { $0.content.payload["room"]?.text == name }
    }
}

extension ChatState.Room {
    /// Records that storage found a user in the room of an event at a revision.
    mutating func updateMembers(_ user: UserID, since revision: Int64, announced: ChatState.EventMembers?) {
        var eventMembers = self.eventMembers ?? ChatState.EventMembers(revision: revision)
        if let announced, announced.revision > eventMembers.revision {
            eventMembers.revision = announced.revision
            eventMembers.members = announced.members
        }
        if revision > eventMembers.revision { eventMembers.later[user] = revision }
        self.eventMembers = eventMembers
    }
}
