import MusterCore
import Postgres

/// One transaction of the chat writer, with several orders in sequence.
///
/// The first statement locks the rooms in the order of their ids. Each later statement sees everything that was
/// committed under those locks. So memberships, existing messages and free sequence numbers are read once and stay
/// valid until the commit.
struct ChatBatch {
    /// The result of a batch.
    struct Result: Sendable {
        /// The outcome of each order.
        var outcomes: [Swift.Result<ChatOutcome, ChatRefusal>] = []
        /// The changes of rooms.
        var advances: [RoomAdvance] = []
        /// The versions of rooms with repeated orders, which an earlier batch of unknown outcome may have written.
        var known: [RoomAdvance] = []
    }

    let orders: [ChatOrder]

    /// Executes the orders.
    func run(in transaction: PostgresTransaction) async throws -> Result {
        var log = try await self.readLog(in: transaction)
        var result = Result()
        for order in self.orders {
            do throws(ChatRefusal) {
                result.outcomes.append(.success(try log.execute(order)))
            } catch {
                result.outcomes.append(.failure(error))
            }
        }
        result.advances = log.advances
        var repeated: Set<RoomID> = []
        for (order, outcome) in zip(self.orders, result.outcomes) {
            if case .success(let found) = outcome, found.isRepeated { repeated.insert(order.room) }
        }
        for advance in result.advances { repeated.remove(advance.room) }
        result.known = repeated.sorted().compactMap { id in
            log.rooms[id].map { room in
                RoomAdvance(
                    room: id,
                    epoch: room.epoch,
                    after: room.version,
                    upTo: room.version,
                    revision: room.revision,
                    messages: []
                )
            }
        }
        let statements = ChatStatements.writing(result.advances, added: log.added, rooms: log.rooms)
        try await transaction.commit(with: statements)
        return result
    }

    // MARK: - What storage says

    /// Locks the rooms and reads the rows that the orders need.
    private func readLog(in transaction: PostgresTransaction) async throws -> RoomLog {
        let (targets, photos) = (self.targets, self.photos)
        var statements = [self.lockRooms, self.selectRooms, self.selectMembers, self.selectRepeats]
        // Most batches change no message and show no photo.
        if !targets.isEmpty { statements.append(Self.select(targets)) }
        if !photos.isEmpty { statements.append(Self.select(photos)) }
        let results = try await transaction.pipeline(statements)
        let repeats = try Self.messages(in: results[3])
        let changing = targets.isEmpty ? [:] : try Self.messages(in: results[4])
        return RoomLog(
            rooms: try Self.rooms(in: results[1]),
            members: try Self.members(in: results[2]),
            messages: repeats.merging(changing) { first, _ in first },
            keys: Self.keys(of: repeats),
            photos: photos.isEmpty ? [:] : try Self.photos(in: results[results.count - 1])
        )
    }

    private var roomIDs: PostgresValue { .ids(Set(self.orders.map(\.room)).sorted()) }

    private var lockRooms: PostgresStatement {
        PostgresStatement(
            "SELECT r.id FROM muster.room r WHERE r.id = ANY($1) ORDER BY r.id FOR NO KEY UPDATE",
            [self.roomIDs]
        )
    }

    private var selectRooms: PostgresStatement {
        PostgresStatement(
            """
            SELECT r.id, r.epoch, r.last_seq, r.version, r.slow_seconds, \(Directory.roomRevision) AS revision
            FROM muster.room r \(Directory.roomOwner) WHERE r.id = ANY($1)
            """,
            [self.roomIDs]
        )
    }

    /// The authors and the mentioned users.
    private var selectMembers: PostgresStatement {
        // Whether each member sends a `wait` message.
        var memberships: [RoomLog.MembershipKey: Bool] = [:]
        func note(_ user: UserID, in room: RoomID, waits: Bool) {
            let membership = RoomLog.MembershipKey(room, user)
            memberships[membership] = waits || memberships[membership] == true
        }
        for order in self.orders {
            var isWish = false
            if case .send(let draft) = order.action {
                isWish = draft.kind == .wait
                for user in isWish ? [] : draft.mentions { note(user, in: order.room, waits: false) }
            }
            if let author = order.author { note(author, in: order.room, waits: isWish) }
        }
        let list = Array(memberships)
        return PostgresStatement(
            """
            SELECT b.room_id, b.from_seq, a.id AS user_id, a.name, a.avatar, \(Directory.isRoomHost) AS is_host,
                CASE WHEN r.slow_seconds > 0 THEN (SELECT max(s.at) FROM muster.message s
                    WHERE s.room_id = r.id AND s.author_id = a.id AND s.kind <> 'system') END AS last_said,
                CASE WHEN x.waits THEN (SELECT max(s.at) FROM muster.message s
                    WHERE s.room_id = r.id AND s.author_id = a.id AND s.kind = 'wait') END AS last_waited
            FROM unnest($1::bigint[], $2::bigint[], $3::boolean[]) AS x(room_id, user_id, waits)
                JOIN muster.room_member b ON b.room_id = x.room_id AND b.user_id = x.user_id
                JOIN muster.room r ON r.id = b.room_id
                JOIN muster.account a ON a.id = b.user_id
                \(Directory.roomHost)
            """,
            [.ids(list.map(\.key.room)), .ids(list.map(\.key.user)), .boolArray(list.map(\.value))]
        )
    }

    /// Messages that already have an order's key.
    private var selectRepeats: PostgresStatement {
        var keys: [RoomLog.Key] = []
        for order in self.orders {
            switch order.action {
            case .send(let draft): keys.append(RoomLog.Key(order.room, order.author, draft.key))
            case .say(let key, _): keys.append(RoomLog.Key(order.room, nil, key))
            case .edit, .delete: break
            }
        }
        return PostgresStatement(
            ChatMessage.selection(
                from: """
                    (SELECT s.* FROM unnest($1::bigint[], $2::bigint[], $3::text[]) AS x(room_id, author_id, key)
                        JOIN muster.message s ON s.room_id = x.room_id AND s.author_id = x.author_id AND s.key = x.key
                            AND s.kind <> 'system'
                    UNION ALL
                    SELECT s.* FROM unnest($1::bigint[], $2::bigint[], $3::text[]) AS x(room_id, author_id, key)
                        JOIN muster.message s ON x.author_id IS NULL AND s.room_id = x.room_id AND s.key = x.key
                            AND s.kind = 'system')
                    """
            ),
            [.ids(keys.map(\.room)), .int64Array(keys.map { $0.author?.rawValue }), .textArray(keys.map(\.key))]
        )
    }

    /// The keys of messages that orders change.
    private var targets: Set<RoomLog.Place> {
        Set(
            self.orders.compactMap { order in
                switch order.action {
                case .edit(let seq, _), .delete(let seq): RoomLog.Place(order.room, seq)
                case .send, .say: nil
                }
            }
        )
    }

    private static func select(_ targets: Set<RoomLog.Place>) -> PostgresStatement {
        let places = Array(targets)
        return PostgresStatement(
            ChatMessage.selection(
                from: """
                    (SELECT s.* FROM unnest($1::bigint[], $2::bigint[]) AS x(room_id, seq)
                        JOIN muster.message s ON s.room_id = x.room_id AND s.seq = x.seq)
                    """
            ),
            [.ids(places.map(\.room)), .int64Array(places.map(\.seq))]
        )
    }

    /// Photos that new messages show.
    private var photos: [PhotoID] {
        self.orders.compactMap { order in
            if case .send(let draft) = order.action { draft.photo } else { nil }
        }
    }

    /// Selects the given photos that are not in use.
    private static func select(_ photos: [PhotoID]) -> PostgresStatement {
        PostgresStatement(
            """
            SELECT p.user_id, \(Photo.columns) FROM muster.photo p
            WHERE p.id = ANY($1) AND p.shape = 'photo'
                AND NOT EXISTS (SELECT FROM muster.photo_use u WHERE u.photo_id = p.id)
            ORDER BY p.id FOR UPDATE
            """,
            [.ids(photos)]
        )
    }

    private static func rooms(in result: PostgresResult) throws -> [RoomID: RoomLog.Room] {
        var rooms: [RoomID: RoomLog.Room] = [:]
        for row in result {
            rooms[try row.id("id")] = RoomLog.Room(
                epoch: try row.text("epoch"),
                lastSeq: try row.int64("last_seq"),
                version: try row.int64("version"),
                revision: try row.int64("revision"),
                pause: Int64(try row.int32("slow_seconds")) * 1000
            )
        }
        return rooms
    }

    private static func members(
        in result: PostgresResult
    ) throws -> [RoomLog.MembershipKey: RoomLog.Member] {
        var members: [RoomLog.MembershipKey: RoomLog.Member] = [:]
        for row in result {
            members[RoomLog.MembershipKey(try row.id("room_id"), try row.id("user_id"))] = RoomLog.Member(
                try row.profile(),
                first: try row.int64("from_seq"),
                isHost: try row.bool("is_host"),
                lastSaid: try row.optionalTimestamp("last_said"),
                lastWaited: try row.optionalTimestamp("last_waited")
            )
        }
        return members
    }

    private static func messages(
        in result: PostgresResult
    ) throws -> [RoomLog.Place: ChatMessage] {
        var messages: [RoomLog.Place: ChatMessage] = [:]
        for row in result {
            let message = try ChatMessage(row)
            messages[RoomLog.Place(try row.id("room_id"), message.seq)] = message
        }
        return messages
    }

    private static func keys(of messages: [RoomLog.Place: ChatMessage]) -> [RoomLog.Key: Int64] {
        var keys: [RoomLog.Key: Int64] = [:]
        for (place, message) in messages {
            guard let key = message.key else { continue }
            keys[RoomLog.Key(place.room, message.kind == .system ? nil : message.from?.id, key)] = message.seq
        }
        return keys
    }

    private static func photos(
        in result: PostgresResult
    ) throws -> [PhotoID: (owner: UserID, picture: ChatMessage.Picture)] {
        var photos: [PhotoID: (owner: UserID, picture: ChatMessage.Picture)] = [:]
        for row in result {
            guard let photo = try Photo(row) else { continue }
            photos[photo.id] = (try row.id("user_id"), ChatMessage.Picture(photo))
        }
        return photos
    }
}
