import MusterCore
import MusterWire
import Postgres

extension Directory {
    /// Reads rooms of a user, in one round trip for any number of rooms.
    ///
    /// - Throws: `unavailable`.
    func rooms(_ query: RoomsQuery) async throws -> RoomsRead {
        let rooms = PostgresValue.ids(query.rooms)
        let asked = Set(query.rooms)
        let resumed = query.resume.filter { asked.contains($0.key) }.sorted { $0.key < $1.key }
        // The versions are read first: later statements may return newer messages, which is harmless.
        var statements = [
            PostgresStatement(Self.selectRooms, [.id(query.user), rooms]),
            PostgresStatement(ChatMessage.selection(from: "(\(Self.selectLast))"), [.id(query.user), rooms]),
        ]
        if !resumed.isEmpty { statements.append(Self.changes(for: query.user, since: resumed)) }
        if query.isFirst { statements.append(PostgresStatement(Self.selectOthers, [.id(query.user), rooms])) }
        let results = try await self.pool.pipeline(statements)
        let changed = resumed.isEmpty ? [] : Array(results[2])
        let others = query.isFirst ? Array(results[results.count - 1]) : []
        var last: [RoomID: ChatMessage] = [:]
        for row in results[1] { last[try row.id("room_id")] = try ChatMessage(row) }
        var changes: [RoomID: [ChatMessage]] = [:]
        for row in changed { changes[try row.id("room_id"), default: []].append(try ChatMessage(row)) }
        let views = try results[0].map { row in
            try Self.view(row, last: last[try row.id("room_id")])
        }
        return RoomsRead(
            rooms: views,
            changes: Self.advances(of: views, since: query.resume, changes),
            others: try others.map { row in try row.id("room_id") }
        )
    }

    /// The statement that finds the changes of rooms since the client's known positions.
    private static func changes(
        for user: UserID,
        since known: [(key: RoomID, value: RoomPosition)]
    ) -> PostgresStatement {
        PostgresStatement(
            ChatMessage.selection(from: "(\(self.selectChanges))") + " ORDER BY m.room_id, m.version",
            [
                .id(user), .ids(known.map(\.key)), .textArray(known.map(\.value.epoch)),
                .int64Array(known.map(\.value.version)), .int64(Int64(RoomsRead.mostChanges + 1)),
            ]
        )
    }

    private static func advances(
        of rooms: [RoomView],
        since resume: [RoomID: RoomPosition],
        _ changes: [RoomID: [ChatMessage]]
    ) -> [RoomAdvance] {
        var left = RoomsRead.mostChangesInAll
        return rooms.compactMap { room in
            guard let known = resume[room.room], known.epoch == room.epoch else { return nil }
            let messages = changes[room.room] ?? []
            guard messages.count <= min(left, RoomsRead.mostChanges) else { return nil }
            left -= messages.count
            let upTo = max(room.version, messages.last?.version ?? 0)
            guard known.version <= upTo else { return nil }
            return RoomAdvance(
                room: room.room,
                epoch: room.epoch,
                after: known.version,
                upTo: upTo,
                revision: 0,
                messages: messages
            )
        }
    }

    static func view(_ row: PostgresRow, last: ChatMessage?) throws -> RoomView {
        RoomView(
            room: try row.id("room_id"),
            epoch: try row.text("epoch"),
            version: try row.int64("version"),
            seq: try row.int64("last_seq"),
            first: try row.int64("from_seq"),
            read: try row.int64("read_seq"),
            unread: Int(try row.int64("unread")),
            mentions: Int(try row.int64("mentioned")),
            muted: try row.choice("muted"),
            slow: Int(try row.int32("slow_seconds")),
            last: last,
            event: try row.isNull("host_id")
                ? nil
                : RoomView.Event(
                    title: try row.text("title"),
                    host: try row.id("host_id"),
                    startsAt: try row.timestamp("starts_at"),
                    revision: try row.int64("event_revision")
                )
        )
    }

    /// The owner of a room `r`: a group `g` or an event `e`.
    static let roomOwner = "LEFT JOIN muster.grp g ON g.id = r.group_id LEFT JOIN muster.event e ON e.id = r.event_id"
    /// The revision of the owner.
    static let roomRevision = "coalesce(g.revision, e.revision, 0)"
    /// The joins that decide whether a member `b` of a room `r` is its host.
    static let roomHost = """
        LEFT JOIN muster.membership m ON m.group_id = r.group_id AND m.user_id = b.user_id
        LEFT JOIN muster.event e ON e.id = r.event_id
        """
    /// Whether the member is the owner of the group or the host of the event.
    static let isRoomHost = "coalesce(m.role = 'owner', e.host_id = b.user_id, false)"

    /// Whether a message `m` is unread for a member `b`: written by another user whom the member does not block.
    static let unreadCondition = """
        m.room_id = b.room_id AND m.seq > b.read_seq AND m.seq >= b.from_seq AND NOT m.deleted AND m.kind <> 'system'
        AND m.author_id IS DISTINCT FROM b.user_id
        AND NOT EXISTS (SELECT FROM muster.block k WHERE k.user_id = b.user_id AND k.blocked_id = m.author_id)
        """

    /// The numbers of unread messages and of unread mentions, up to 100 each.
    static let unreadColumns = """
        (SELECT count(*) FROM (SELECT FROM muster.message m WHERE \(unreadCondition) LIMIT 100) x) AS unread,
        (SELECT count(*) FROM (SELECT FROM muster.message m WHERE \(unreadCondition)
            AND b.user_id = ANY (m.mentions) LIMIT 100) x) AS mentioned
        """

    static let selectRooms = """
        SELECT b.room_id, r.epoch, r.version, r.last_seq, b.from_seq, b.read_seq, b.muted::text AS muted, r.slow_seconds,
            e.title, e.host_id, e.starts_at, e.revision AS event_revision, \(unreadColumns)
        FROM muster.room_member b JOIN muster.room r ON r.id = b.room_id LEFT JOIN muster.event e ON e.id = r.event_id
        WHERE b.user_id = $1 AND b.room_id = ANY ($2) ORDER BY b.room_id
        """

    /// Finds the event rooms of user `$1` that are not among the rooms `$2`.
    private static let selectOthers = """
        SELECT b.room_id FROM muster.room_member b JOIN muster.room r ON r.id = b.room_id
        WHERE b.user_id = $1 AND r.kind = 'event' AND b.room_id <> ALL ($2) ORDER BY b.room_id
        """

    static let selectLast = """
        SELECT l.* FROM muster.room_member b JOIN LATERAL (
            SELECT m.* FROM muster.message m
            WHERE m.room_id = b.room_id AND m.seq >= b.from_seq AND NOT m.deleted AND m.kind <> 'system'
                AND NOT EXISTS (SELECT FROM muster.block k WHERE k.user_id = b.user_id AND k.blocked_id = m.author_id)
            ORDER BY m.seq DESC LIMIT 1
        ) l ON true
        WHERE b.user_id = $1 AND b.room_id = ANY ($2)
        """

    private static let selectChanges = """
        SELECT l.* FROM unnest($2::bigint[], $3::text[], $4::bigint[]) AS x(room_id, epoch, version)
            JOIN muster.room_member b ON b.room_id = x.room_id AND b.user_id = $1
            JOIN muster.room r ON r.id = b.room_id AND r.epoch = x.epoch
            JOIN LATERAL (
                SELECT m.* FROM muster.message m
                WHERE m.room_id = b.room_id AND m.version > x.version AND m.seq >= b.from_seq
                ORDER BY m.version LIMIT $5
            ) l ON true
        """

    /// Reads the changes of a room since a version, for the world.
    ///
    /// - Throws: `notFound` when the room is deleted, `unavailable`.
    func roomAdvance(_ room: RoomID, after version: Int64) async throws -> RoomAdvance {
        let results = try await self.pool.pipeline([
            PostgresStatement(
                """
                SELECT r.epoch, r.version, \(Self.roomRevision) AS revision
                FROM muster.room r \(Self.roomOwner) WHERE r.id = $1
                """,
                [.id(room)]
            ),
            PostgresStatement(
                ChatMessage.selection(
                    from: "(SELECT * FROM muster.message WHERE room_id = $1 AND version > $2 ORDER BY version LIMIT $3)"
                ) + " ORDER BY m.version",
                [.id(room), .int64(version), .int64(Int64(RoomsRead.mostChangesInAll))]
            ),
        ])
        guard let row = results[0].first else { throw FrameError(.notFound, message: "There is no such room.") }
        let messages = try results[1].map { row in try ChatMessage(row) }
        let isWhole = messages.count < RoomsRead.mostChangesInAll
        let last = messages.last?.version ?? 0
        return RoomAdvance(
            room: room,
            epoch: try row.text("epoch"),
            after: version,
            upTo: isWhole ? max(try row.int64("version"), last) : last,
            revision: try row.int64("revision"),
            messages: messages
        )
    }

    /// Reads the current versions of rooms, for the world.
    ///
    /// - Returns: each room as a change without messages; deleted rooms are left out.
    /// - Throws: `unavailable`.
    func roomHeads(_ rooms: [RoomID]) async throws -> [RoomAdvance] {
        let result = try await self.query(
            """
            SELECT r.id, r.epoch, r.version, \(Self.roomRevision) AS revision
            FROM muster.room r \(Self.roomOwner) WHERE r.id = ANY ($1) ORDER BY r.id
            """,
            [.ids(rooms)]
        )
        return try result.map { row in
            let version = try row.int64("version")
            return RoomAdvance(
                room: try row.id("id"),
                epoch: try row.text("epoch"),
                after: version,
                upTo: version,
                revision: try row.int64("revision"),
                messages: []
            )
        }
    }
}
