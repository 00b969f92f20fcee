// The rules of a room's log, without storage. The state that storage read under the rooms' locks is the input. Requests
// are applied in order, and the result is the messages to write.
//
// Invariants:
// - The messages of a room are numbered 1, 2, 3 and so on; each change raises the room's version by one.
// - A key of an author, or of the server, is written once: the first message wins.
// - A refused or repeated request changes nothing.

/// The logs of some rooms, limited to the state that a set of requests needs.
package struct RoomLog: Sendable {
    /// A room.
    package struct Room: Sendable, Equatable {
        package var epoch: String
        package var lastSeq: Int64
        package var version: Int64
        /// The revision of the group or event.
        package var revision: Int64
        /// The slow mode interval: milliseconds between two messages of a member.
        package var pause: Int64

        /// Describes a room.
        package init(epoch: String, lastSeq: Int64, version: Int64, revision: Int64, pause: Int64 = 0) {
            self.epoch = epoch
            self.lastSeq = lastSeq
            self.version = version
            self.revision = revision
            self.pause = pause
        }
    }

    /// A member of a room.
    package struct Member: Sendable, Equatable {
        package var profile: UserProfile
        /// The first message that they may read.
        package var first: Int64
        /// Whether the member may delete other members' messages and is exempt from slow mode.
        package var isHost: Bool
        /// The time of the member's last message; known only for rooms in slow mode.
        package var lastSaid: Timestamp?
        /// The time of the member's last wait request; known only for members with a new one.
        package var lastWaited: Timestamp?

        /// Creates a member.
        package init(
            _ profile: UserProfile,
            first: Int64 = 1,
            isHost: Bool = false,
            lastSaid: Timestamp? = nil,
            lastWaited: Timestamp? = nil
        ) {
            self.profile = profile
            self.first = first
            self.isHost = isHost
            self.lastSaid = lastSaid
            self.lastWaited = lastWaited
        }
    }

    /// The key of a membership.
    package struct MembershipKey: Hashable, Sendable {
        package var room: RoomID
        package var user: UserID

        /// Creates a key.
        package init(_ room: RoomID, _ user: UserID) {
            self.room = room
            self.user = user
        }
    }

    /// The key of a message.
    package struct Place: Hashable, Sendable {
        package var room: RoomID
        package var seq: Int64

        /// Creates a key.
        package init(_ room: RoomID, _ seq: Int64) {
            self.room = room
            self.seq = seq
        }
    }

    /// A deduplication key; the author is nil for the server.
    package struct Key: Hashable, Sendable {
        package var room: RoomID
        package var author: UserID?
        package var key: String

        /// Creates a key.
        package init(_ room: RoomID, _ author: UserID?, _ key: String) {
            self.room = room
            self.author = author
            self.key = key
        }
    }

    package private(set) var rooms: [RoomID: Room]
    private var members: [MembershipKey: Member]
    private var messages: [Place: ChatMessage]
    private var keys: [Key: Int64]
    /// The photos that an author may use.
    private var photos: [PhotoID: (owner: UserID, picture: ChatMessage.Picture)]
    private let before: [RoomID: Room]
    /// The keys of the messages written.
    private var written: Set<Place> = []
    /// The keys of new messages.
    package private(set) var added: Set<Place> = []

    /// Begins with the state read from storage.
    package init(
        rooms: [RoomID: Room],
        members: [MembershipKey: Member],
        messages: [Place: ChatMessage],
        keys: [Key: Int64],
        photos: [PhotoID: (owner: UserID, picture: ChatMessage.Picture)] = [:]
    ) {
        self.rooms = rooms
        self.before = rooms
        self.members = members
        self.messages = messages
        self.keys = keys
        self.photos = photos
    }

    /// The written messages, by room and rising version.
    package var advances: [RoomAdvance] {
        var changes: [RoomID: [ChatMessage]] = [:]
        for place in self.written {
            if let message = self.messages[place] { changes[place.room, default: []].append(message) }
        }
        return changes.keys.sorted().compactMap { room in
            guard let now = self.rooms[room], let before = self.before[room] else { return nil }
            return RoomAdvance(
                room: room,
                epoch: now.epoch,
                after: before.version,
                upTo: now.version,
                revision: now.revision,
                messages: (changes[room] ?? []).sorted { $0.version < $1.version }
            )
        }
    }

    /// Executes a request.
    package mutating func execute(_ order: ChatOrder) throws(ChatRefusal) -> ChatOutcome {
        guard let room = self.rooms[order.room] else { throw .notMember }
        if case .say(let key, let data) = order.action {
            return self.write(
                ChatMessage(seq: 0, version: 0, key: key, kind: .system, from: nil, at: order.at, data: data),
                in: order.room,
                by: nil
            )
        }
        guard let author = order.author, let member = self.members[MembershipKey(order.room, author)] else {
            throw .notMember
        }
        switch order.action {
        case .say: throw .notMember
        case .send(let draft): return try self.send(draft, in: order.room, room, by: member, at: order.at)
        case .edit(let seq, let text):
            let message = try self.find(seq, in: order.room, for: member)
            guard message.from?.id == author, message.kind != .system else { throw .notOwn }
            guard !message.isDeleted else { throw .deleted }
            guard message.kind != .wait, order.at - message.at <= ChatMessage.editable else { throw .notEditable }
            guard message.text != text else { return ChatOutcome(message, isRepeated: true) }
            return self.change(message, in: order.room) {
                $0.text = text
                $0.editedAt = order.at
            }
        case .delete(let seq):
            let message = try self.find(seq, in: order.room, for: member)
            guard message.kind != .system, message.from?.id == author || member.isHost else { throw .notOwn }
            guard !message.isDeleted else { return ChatOutcome(message, isRepeated: true) }
            return self.change(message, in: order.room) { $0.erase() }
        }
    }

    private mutating func send(
        _ draft: ChatOrder.Draft,
        in id: RoomID,
        _ room: Room,
        by member: Member,
        at now: Timestamp
    ) throws(ChatRefusal) -> ChatOutcome {
        let author = member.profile.id
        if let seq = self.keys[Key(id, author, draft.key)], let first = self.messages[Place(id, seq)] {
            return ChatOutcome(first, isRepeated: true)
        }
        if let answered = draft.replyTo {
            guard answered >= member.first, answered <= room.lastSeq else { throw .field("replyTo") }
        }
        for user in draft.mentions where draft.kind != .wait && self.members[MembershipKey(id, user)] == nil {
            throw .field("mentions")
        }
        if draft.kind == .wait, let last = member.lastWaited, now - last < ChatMessage.waitPause {
            throw .waited(retryAfter: ChatMessage.waitPause - (now - last))
        }
        if room.pause > 0, !member.isHost, let last = member.lastSaid, now - last < room.pause {
            throw .slow(retryAfter: room.pause - (now - last))
        }
        var picture: ChatMessage.Picture?
        if let photo = draft.photo {
            guard let known = self.photos[photo], known.owner == author else { throw .photo }
            picture = known.picture
            self.photos[photo] = nil
        }
        self.members[MembershipKey(id, author)]?.lastSaid = now
        if draft.kind == .wait { self.members[MembershipKey(id, author)]?.lastWaited = now }
        return self.write(
            ChatMessage(
                seq: 0,
                version: 0,
                key: draft.key,
                kind: draft.kind,
                from: member.profile,
                at: now,
                text: draft.text,
                photo: picture,
                replyTo: draft.replyTo,
                mentions: draft.mentions,
                data: draft.data
            ),
            in: id,
            by: author
        )
    }

    private func find(_ seq: Int64, in room: RoomID, for member: Member) throws(ChatRefusal) -> ChatMessage {
        guard seq >= member.first, let message = self.messages[Place(room, seq)] else { throw .noMessage }
        return message
    }

    private mutating func write(_ draft: ChatMessage, in id: RoomID, by author: UserID?) -> ChatOutcome {
        let key = draft.key.map { Key(id, author, $0) }
        if let key, let seq = self.keys[key], let first = self.messages[Place(id, seq)] {
            return ChatOutcome(first, isRepeated: true)
        }
        guard var room = self.rooms[id] else { preconditionFailure("an order is carried out in a room that is there") }
        room.lastSeq += 1
        room.version += 1
        self.rooms[id] = room
        var message = draft
        message.seq = room.lastSeq
        message.version = room.version
        let place = Place(id, message.seq)
        self.messages[place] = message
        if let key { self.keys[key] = message.seq }
        self.written.insert(place)
        self.added.insert(place)
        return ChatOutcome(message)
    }

    private mutating func change(
        _ message: ChatMessage,
        in id: RoomID,
        _ body: (inout ChatMessage) -> Void
    ) -> ChatOutcome {
        var message = message
        body(&message)
        self.rooms[id]?.version += 1
        message.version = self.rooms[id]?.version ?? message.version
        let place = Place(id, message.seq)
        self.messages[place] = message
        self.written.insert(place)
        return ChatOutcome(message)
    }
}
