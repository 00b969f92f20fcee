// Storage owns the log of a room; every input about rooms is a hint with a version number. The world tracks the version
// of each room and forwards changes in order. A change that does not follow the known version is dropped and read from
// storage. A change whose group or event revision is not known here yet is also dropped, and read once the revision is
// known: until then, a removed member may still be a follower.
//
// Invariants:
// - Every follower of a room is a member of its group, or a guest or the host of its event, as far as the world knows.
// - The changes sent to the followers of a room lead from one version to the next without gaps.
// - A session without chat support receives nothing about rooms.

extension World {
    /// Processes a change or request about rooms.
    mutating func note(_ input: ChatInput) {
        switch input {
        case .advanced(let advances): for advance in advances { self.advance(advance) }
        case .notified(let user, let left, let frame):
            self.send(self.chatSessions(of: user, except: left), .frame(frame))
        case .seen(let user, let numbers): self.withdraw(numbers, of: user)
        case .blocked(let user, let other, let isBlocked):
            if isBlocked {
                self.chat.blocked[user, default: []].insert(other)
            } else {
                self.chat.blocked[user]?.remove(other)
            }
        case .changed(let room):
            for session in self.chat.rooms[room]?.followers.sorted() ?? [] {
                self.beginRoom(room, of: session)
            }
        case .suspected(let rooms): self.suspect(rooms)
        case .focused(let session, let tag, let room):
            guard room.map({ self.mayBe(session, in: $0) }) ?? true else {
                return self.effects.append(.refused(session, tag, .notMember))
            }
            self.focus(session, on: room)
            self.effects.append(.chat(.done(session, tag)))
        case .typed(let session, let tag, let room):
            guard self.mayBe(session, in: room) else { return self.effects.append(.refused(session, tag, .notMember)) }
            self.type(in: room, by: session)
            self.effects.append(.chat(.done(session, tag)))
        }
    }

    // MARK: - Sessions

    /// Subscribes a session with chat support to its user's rooms.
    mutating func beginRooms(of session: SessionID, resume: [RoomID: RoomPosition]) {
        guard let slot = self.sessions.slot(of: session) else { return }
        self.chat.sessions[session] = ChatState.Session()
        let user = self.sessions[slot].user
        let rooms = self.users.slot(of: user).map { self.users[$0].memberships.map(\.room) } ?? []
        self.read(RoomsQuery(session: session, user: user, rooms: rooms, resume: resume, isFirst: true))
    }

    /// Subscribes a session with chat support to one more room, or sends it the room's current state again.
    mutating func beginRoom(_ room: RoomID, of session: SessionID) {
        guard self.chat.sessions[session] != nil, let slot = self.sessions.slot(of: session) else { return }
        self.read(RoomsQuery(session: session, user: self.sessions[slot].user, rooms: [room]))
    }

    /// Removes the chat state of a closed session.
    mutating func endRooms(of session: SessionID) {
        guard let state = self.chat.sessions.removeValue(forKey: session) else { return }
        for room in state.followed { self.drop(session, from: room) }
    }

    /// Removes a room from sessions whose user is no longer a member.
    mutating func loseRoom(_ room: RoomID, by sessions: [SessionID]) {
        let notified = sessions.filter { self.chat.sessions[$0]?.followed.remove(room) != nil }
        guard !notified.isEmpty else { return }
        for session in notified {
            self.effects.append(.chat(.unfollow(session, room)))
            if self.chat.sessions[session]?.focus == room {
                self.chat.sessions[session]?.focus = nil
                self.effects.append(.chat(.unsubscribeFromTyping(session, room)))
            }
            self.drop(session, from: room)
        }
        self.effects.append(.chat(.gone(notified, room)))
    }

    /// Removes a room whose group was unloaded.
    mutating func closeRoom(_ room: RoomID) {
        guard let state = self.chat.rooms.removeValue(forKey: room) else { return }
        for session in state.followers { self.chat.sessions[session]?.followed.remove(room) }
        self.effects.append(.chat(.closed(room)))
    }

    private mutating func drop(_ session: SessionID, from room: RoomID) {
        self.chat.rooms[room]?.followers.remove(session)
        guard self.chat.rooms[room]?.followers.isEmpty == true else { return }
        self.chat.rooms[room] = nil
        self.effects.append(.chat(.closed(room)))
    }

    /// The sessions of a user that support chat.
    func chatSessions(of user: UserID, except left: SessionID?) -> [SessionID] {
        guard let person = self.users.slot(of: user) else { return [] }
        return self.openSessions(of: person, except: left).filter { self.chat.sessions[$0] != nil }
    }

    // MARK: - Room queries

    // While a room query is under way, the world records the highest version that others announce. Otherwise a message
    // committed right after the query could be missed until the next one.

    /// Queries storage for the state of a user's rooms.
    mutating func read(_ query: RoomsQuery) {
        self.chat.sessions[query.session]?.queries += 1
        for room in query.rooms { self.chat.awaited[room, default: ChatState.PendingRoom()].queries += 1 }
        self.effects.append(.ask(.rooms(query)))
    }

    private mutating func endAwaiting(_ rooms: [RoomID]) {
        for room in rooms {
            self.chat.awaited[room]?.queries -= 1
            if self.chat.awaited[room]?.queries == 0 { self.chat.awaited[room] = nil }
        }
    }

    /// Closes the session of a failed query; its client reconnects.
    mutating func failRooms(_ query: RoomsQuery) {
        self.endAwaiting(query.rooms)
        if self.chat.sessions[query.session] != nil { self.end(query.session, as: .unavailable) }
    }

    /// Sends a session the state of its user's rooms, and subscribes it to them.
    mutating func show(_ read: RoomsRead, to query: RoomsQuery) {
        let announced = self.chat.awaited
        self.endAwaiting(query.rooms)
        guard self.chat.sessions[query.session] != nil, let person = self.users.slot(of: query.user) else { return }
        let mine = read.rooms.filter { room in
            guard let event = room.event else { return self.users[person].memberships.contains(room.room.group) }
            return self.isMember(
                query.user,
                in: room.room,
                since: event.revision,
                announced: announced[room.room]?.eventMembers
            )
        }
        let changed = mine.filter { room in
            query.resume[room.room] != RoomPosition(epoch: room.epoch, version: room.version, read: room.read)
        }
        if !changed.isEmpty { self.effects.append(.chat(.rooms(query.session, changed))) }
        for room in mine {
            self.follow(
                room,
                on: query,
                read.changes.first { $0.room == room.room },
                announced: announced[room.room] ?? ChatState.PendingRoom()
            )
        }
        self.showOthers(read, to: query, mine: mine.map(\.room))
    }

    private mutating func follow(
        _ room: RoomView,
        on query: RoomsQuery,
        _ missed: RoomAdvance?,
        announced: ChatState.PendingRoom
    ) {
        let (id, session) = (room.room, query.session)
        if let known = self.chat.rooms[id], known.epoch != room.epoch {
            self.reopen(id, epoch: room.epoch, version: room.version, except: session)
        }
        var state =
            self.chat.rooms[id]
            ?? ChatState.Room(epoch: room.epoch, version: room.version, highest: room.version)
        state.highest = max(state.highest, room.version, announced.highest)
        if let event = room.event {
            state.updateMembers(query.user, since: event.revision, announced: announced.eventMembers)
        }
        let isNew = self.chat.sessions[session]?.followed.insert(id).inserted ?? false
        state.followers.insert(session)
        self.chat.rooms[id] = state
        guard isNew else { return }
        var from = room.version
        if let missed {
            from = missed.upTo
            if missed.after < missed.upTo { self.effects.append(.chat(.missed(session, missed))) }
        } else if let known = query.resume[id], known.epoch == room.epoch, known.version < room.version {
            self.effects.append(.chat(.gap(session, id, epoch: room.epoch, upTo: room.version)))
        }
        self.effects.append(
            .chat(
                .follow(session, id, epoch: state.epoch, version: state.version, from: from, first: room.first)
            )
        )
        if self.chat.sessions[session]?.focus == id { self.effects.append(.chat(.subscribeToTyping(session, id))) }
        self.readOn(id)
    }

    /// Restarts a room under a new epoch and queries it again for every follower.
    private mutating func reopen(_ room: RoomID, epoch: String, version: Int64, except session: SessionID?) {
        guard let state = self.chat.rooms.removeValue(forKey: room) else { return }
        self.effects.append(.chat(.closed(room)))
        for follower in state.followers.sorted() {
            self.chat.sessions[follower]?.followed.remove(room)
            if follower != session { self.beginRoom(room, of: follower) }
        }
    }

    private mutating func renumber(_ advance: RoomAdvance) {
        guard let room = self.chat.rooms[advance.room], room.epoch != advance.epoch else { return }
        self.reopen(advance.room, epoch: advance.epoch, version: advance.upTo, except: nil)
    }

    /// Closes the sessions that follow a room which could not be read; their clients reconnect.
    mutating func abandon(_ room: RoomID) {
        for session in self.chat.rooms[room]?.followers.sorted() ?? [] {
            self.end(session, as: .unavailable)
        }
    }

    // MARK: - Changes

    /// Applies the changes of a room from storage.
    mutating func receive(_ advance: RoomAdvance) {
        self.chat.rooms[advance.room]?.isReading = false
        // A full page means that there may be more changes.
        if advance.messages.count >= RoomsRead.mostChangesInAll { self.chat.rooms[advance.room]?.isSuspect = true }
        self.renumber(advance)
        self.advance(advance)
    }

    private mutating func advance(_ advance: RoomAdvance) {
        let id = advance.room
        if let awaited = self.chat.awaited[id], awaited.highest < advance.upTo {
            self.chat.awaited[id]?.highest = advance.upTo
        }
        guard let room = self.chat.rooms[id] else { return }
        guard room.epoch == advance.epoch else {
            self.chat.rooms[id]?.isSuspect = true
            return self.readOn(id)
        }
        guard advance.upTo > room.version else { return self.readOn(id) }
        self.chat.rooms[id]?.highest = max(room.highest, advance.upTo)
        guard advance.revision <= self.knownRevision(of: id) else {
            self.chat.rooms[id]?.wantedRevision = max(room.wantedRevision, advance.revision)
            return self.requestMembers(of: id)
        }
        // Changes that are only announced, or that lie behind a gap, are read from storage.
        guard advance.after <= room.version else { return self.readOn(id) }
        var changed = advance
        changed.after = room.version
        changed.messages.removeAll { $0.version <= room.version }
        self.chat.rooms[id]?.version = changed.upTo
        self.effects.append(.chat(.advanced(changed)))
        self.forgetTyping(of: changed)
        self.readOn(id)
    }

    /// Queries storage for the missing changes of a room, or for changes that a new group revision may have added.
    mutating func readOn(_ id: RoomID) {
        guard let room = self.chat.rooms[id], !room.isReading else { return }
        guard room.isSuspect || room.highest > room.version, room.wantedRevision <= self.knownRevision(of: id) else {
            return
        }
        self.chat.rooms[id]?.isReading = true
        self.chat.rooms[id]?.isSuspect = false
        self.effects.append(.ask(.roomChanges(id, after: room.version)))
    }

    /// Queries storage for the changes that new members added to a room.
    mutating func readAgain(_ id: RoomID) {
        self.chat.rooms[id]?.isSuspect = true
        self.readOn(id)
    }

    /// Queries storage for the versions of rooms whose changes may have been missed.
    mutating func suspect(_ rooms: [RoomID]?) {
        var ids = Set(self.chat.rooms.keys).union(self.chat.awaited.keys)
        if let rooms { ids.formIntersection(rooms) }
        if !ids.isEmpty { self.effects.append(.ask(.roomVersions(ids.sorted()))) }
    }

    /// The revision at which the members of a room are known here.
    private func knownRevision(of id: RoomID) -> Int64 {
        if let eventMembers = self.chat.rooms[id]?.eventMembers { return eventMembers.revision }
        return self.groups.slot(of: id.group).map { self.groups[$0].revision } ?? 0
    }

    /// Queries storage for the current members of a room.
    private mutating func requestMembers(of id: RoomID) {
        guard let eventMembers = self.chat.rooms[id]?.eventMembers else {
            return self.requestLoad(of: id.group)
        }
        guard !eventMembers.isReading else { return }
        self.chat.rooms[id]?.eventMembers?.isReading = true
        self.effects.append(.ask(.event(id.event)))
    }

    private mutating func withdraw(_ numbers: [Int64], of user: UserID) {
        self.withdrawNotifications(of: user) { numbers.contains($0.number) }
    }

    /// Withdraws unseen notifications of a user that storage deleted.
    mutating func withdrawNotifications(of user: UserID, where isGone: (NumberedNotification) -> Bool) {
        guard let person = self.users.slot(of: user) else { return }
        let gone = self.users[person].inbox.withdraw(where: isGone)
        guard !gone.isEmpty else { return }
        self.markGlances(of: person)
        self.send(self.openSessions(of: person), .seen(gone))
    }

    /// Posts a message about a gathering to the group's room.
    ///
    /// The key makes a repeated post the same message.
    mutating func say(_ event: String, of status: GatheringStatus, in group: GroupID) {
        var data: [NotificationPayload.Field] = [
            .init("event", .text("gathering_\(event)")), .init("gathering", .text(status.gathering.description)),
        ]
        if let name = status.place.name { data.append(.init("place", .text(name))) }
        let key = "g:\(status.gathering):\(event)"
        self.effects.append(.chat(.say(group.room, key: key, NotificationPayload(data), at: self.now)))
    }

    // MARK: - Focus and typing

    /// Whether a session's user may be in a room.
    ///
    /// True while storage is still being queried for the user's rooms.
    private func mayBe(_ session: SessionID, in room: RoomID) -> Bool {
        guard let known = self.sessions.value(of: session) else { return false }
        // The user's groups are not known until all of them are loaded.
        guard known.isOpen else { return true }
        let user = known.user
        if self.users.value(of: user)?.memberships.contains(room.group) == true { return true }
        if let state = self.chat.sessions[session], state.queries > 0 || state.followed.contains(room) { return true }
        guard let event = self.events[room.event]?.snapshot.event else { return false }
        return event.host.id == user || event.guest(user)?.isConcerned == true
    }

    // A reconnecting client may set its focus before it follows the room.

    private mutating func focus(_ session: SessionID, on room: RoomID?) {
        guard let state = self.chat.sessions[session], state.focus != room else { return }
        if let earlier = state.focus, state.followed.contains(earlier) {
            self.effects.append(.chat(.unsubscribeFromTyping(session, earlier)))
        }
        self.chat.sessions[session]?.focus = room
        if let room, state.followed.contains(room) { self.effects.append(.chat(.subscribeToTyping(session, room))) }
    }

    private mutating func type(in id: RoomID, by session: SessionID) {
        guard self.chat.sessions[session]?.followed.contains(id) == true, let slot = self.sessions.slot(of: session)
        else { return }
        let user = self.sessions[slot].user
        self.chat.rooms[id]?.typing.removeAll { $0.user == user || $0.until <= self.now }
        self.chat.rooms[id]?.typing.append((user, self.now + ChatState.typingLasts))
        self.sendTyping(in: id)
    }

    /// Removes the typing state of users whose message has arrived.
    private mutating func forgetTyping(of advance: RoomAdvance) {
        guard let typing = self.chat.rooms[advance.room]?.typing, !typing.isEmpty else { return }
        let authors = Set(advance.messages.compactMap { $0.from?.id })
        let left = typing.filter { !authors.contains($0.user) && $0.until > self.now }
        guard left.count != typing.count else { return }
        self.chat.rooms[advance.room]?.typing = left
        self.sendTyping(in: advance.room)
    }

    private mutating func sendTyping(in id: RoomID) {
        self.chat.typingNumber += 1
        let users = self.chat.rooms[id]?.typing.map(\.user) ?? []
        self.effects.append(.chat(.typing(id, users, number: self.chat.typingNumber)))
    }
}
