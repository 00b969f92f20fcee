import MusterCore
import Postgres

/// The changes and members of rooms, from which notifications are computed.
struct RoomChanges {
    /// A room with its version and the version up to which its notifications were stored.
    struct Head {
        let room: RoomID
        let notified: Int64
        let version: Int64
        let group: GroupID?
        let name: String?
        /// The room's event and its title; nil for a group's room.
        let event: (id: EventID, title: String)?

        /// The columns of a room `r` for the notification; an event's room has the group of its event.
        static let columns = "g.id AS group_id, g.name, e.id AS event_id, e.title"
        static let tables = """
            LEFT JOIN muster.event e ON e.id = r.event_id
            LEFT JOIN muster.grp g ON g.id = coalesce(r.group_id, e.group_id)
            """

        init(_ row: PostgresRow) throws {
            self.room = try row.id("id")
            self.notified = try row.int64("told")
            self.version = try row.int64("version")
            self.group = try row.optionalInt64("group_id").map(GroupID.init)
            self.name = try row.optionalText("name")
            self.event = try row.isNull("event_id") ? nil : (try row.id("event_id"), try row.text("title"))
        }
    }

    private struct Member {
        let user: UserID
        let muted: RoomMute
        let read: Int64
        let blocked: Set<UserID>
        /// The first and the last unread message; nil when the member is online, or was notified already.
        let unread: ClosedRange<Int64>?
    }

    private typealias DueNotification = (membership: RoomLog.MembershipKey, record: NotificationRecord)

    /// The maximum length of a message's excerpt in a mention, in characters.
    private static let excerpt = 120

    private let heads: [Head]
    private var messages: [RoomID: [ChatMessage]] = [:]
    private var members: [RoomID: [Member]] = [:]
    private let now: Timestamp

    init(
        _ heads: [Head],
        _ messages: PostgresResult,
        _ members: PostgresResult,
        at now: Timestamp
    ) throws {
        self.heads = heads
        self.now = now
        for row in messages { self.messages[try row.id("room_id"), default: []].append(try ChatMessage(row)) }
        for row in members {
            let first = try row.optionalInt64("first_unread")
            let last = try row.optionalInt64("last_unread")
            let member = Member(
                user: try row.id("user_id"),
                muted: try row.choice("muted"),
                read: try row.int64("read_seq"),
                blocked: Set(try row.int64Array("blocked").compactMap { $0.map(UserID.init) }),
                // A notification that was seen without reading the messages is followed by another one for newer
                // messages.
                unread: try row.bool("is_told") ? nil : first.flatMap { first in last.map { first...$0 } }
            )
            self.members[try row.id("room_id"), default: []].append(member)
        }
    }

    /// Messages that were deleted.
    var deleted: [RoomLog.Place] {
        self.heads.flatMap { head in
            (self.messages[head.room] ?? []).filter(\.isDeleted).map { RoomLog.Place(head.room, $0.seq) }
        }
    }

    /// Changed messages whose notifications may contain an outdated text, with the new text; nil for deleted messages.
    var changed: [(place: RoomLog.Place, text: String?)] {
        self.heads.flatMap { head in
            (self.messages[head.room] ?? []).filter { $0.isDeleted || $0.editedAt != nil }.map { message in
                (RoomLog.Place(head.room, message.seq), message.isDeleted ? nil : Self.excerpt(of: message))
            }
        }
    }

    private static func excerpt(of message: ChatMessage) -> String {
        Excerpt.of(message.text ?? "", longest: Self.excerpt)
    }

    /// The notifications in the order of the messages, each with the room membership of its recipient.
    var records: [(membership: RoomLog.MembershipKey, record: NotificationRecord)] {
        self.heads.flatMap { head in
            let members = self.members[head.room] ?? []
            let calls = (self.messages[head.room] ?? []).filter(\.counts).flatMap { message in
                members.compactMap { self.call($0, in: head, message) }
            }
            return calls + members.compactMap { self.unread($0, in: head) }
        }
    }

    private func call(_ member: Member, in head: Head, _ message: ChatMessage) -> DueNotification? {
        guard let from = message.from, message.mentions.contains(member.user), member.user != from.id,
            member.read < message.seq, member.muted != .all, !member.blocked.contains(from.id)
        else { return nil }
        var fields = self.place(head, message.seq)
        fields.append(
            .init("from", .object([.init("id", .user(from.id)), .init("name", .text(from.name))]))
        )
        let isWait = message.kind == .wait
        if isWait {
            for name in ["gathering", "eta", "distance"] {
                if let value = message.data?[name] { fields.append(.init(name, value)) }
            }
        } else {
            fields.append(.init("text", .text(Self.excerpt(of: message))))
        }
        return self.record(
            isWait ? "wait_for_me" : "mention",
            for: member,
            in: head,
            from: from.id,
            subject: "\(head.room):\(message.seq)",
            at: message.at,
            fields
        )
    }

    private func unread(_ member: Member, in head: Head) -> DueNotification? {
        guard let unread = member.unread else { return nil }
        return self.record(
            "messages",
            for: member,
            in: head,
            from: nil,
            // The next notification has a higher number.
            subject: "\(head.room):\(unread.upperBound)",
            at: self.now,
            self.place(head, unread.lowerBound)
        )
    }

    private func place(_ head: Head, _ seq: Int64) -> [NotificationPayload.Field] {
        let event = head.event.map { event in
            [NotificationPayload.Field("event", .text(event.id.description)), .init("title", .text(event.title))]
        }
        return [.init("room", .text(head.room.description)), .init("seq", .integer(seq))] + (event ?? [])
    }

    private func record(
        _ kind: String,
        for member: Member,
        in head: Head,
        from: UserID?,
        subject: String,
        at: Timestamp,
        _ fields: [NotificationPayload.Field]
    ) -> DueNotification {
        let record = NotificationRecord(
            user: member.user,
            content: NotificationContent(
                kind: kind,
                group: head.group,
                groupName: head.name,
                from: from,
                subject: subject,
                at: at,
                payload: NotificationPayload(fields)
            )
        )
        return (RoomLog.MembershipKey(head.room, member.user), record)
    }
}
