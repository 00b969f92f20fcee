import MusterCore
import MusterWire
import Postgres

extension PostgresTransaction {
    /// Deletes a row of the given table; triggers publish the change where necessary.
    ///
    /// - Throws: `notFound`.
    func takeDownRow<Subject>(of table: String, _ id: Identifier<Subject>) async throws {
        let result = try await self.query("DELETE FROM muster.\(table) WHERE id = $1", [.id(id)])
        guard result.affectedRows == 1 else { throw FrameError(.notFound, message: "There is no \(table) \(id).") }
    }

    /// Blanks a message; only its place in the room remains.
    ///
    /// - Throws: `notFound`, also for a system message.
    func takeDownMessage(_ seq: Int64, in room: RoomID, _ done: inout TakeDown) async throws {
        let result = try await self.query(
            "SELECT muster.blank_message($1, $2) AS was_there",
            [.id(room), .int64(seq)]
        )
        let wasThere = try result.first?.bool("was_there") ?? false
        guard wasThere else {
            throw FrameError(
                .notFound,
                message: "There is no message \(seq) of anybody's in room \(room), or it is deleted."
            )
        }
        done.rooms.append(room)
    }

    /// Deletes a photo and all its uses.
    ///
    /// - Throws: `notFound`.
    func takeDownPhoto(_ photo: PhotoID, _ done: inout TakeDown) async throws {
        // The lock prevents new uses.
        let results = try await self.pipeline([
            PostgresStatement("SELECT id FROM muster.photo WHERE id = $1 FOR UPDATE", [.id(photo)]),
            PostgresStatement(
                """
                SELECT u.spot_id, u.face_of, u.event_id, u.room_id, u.message_seq
                FROM muster.photo_use u WHERE u.photo_id = $1
                """,
                [.id(photo)]
            ),
        ])
        guard results[0].rowCount == 1 else { throw FrameError(.notFound, message: "There is no photo \(photo).") }
        if let row = results[1].first {
            let use = try Use(row)
            done.spot = use.spot
            if let room = use.room, let seq = use.seq { try await self.takeDownMessage(seq, in: room, &done) }
            if let user = use.face {
                done.groups = try await self.lockGroups(of: user)
                try await self.query("SELECT muster.lock_events_of($1)", [.id(user)])
                try await self.removeFace(of: user)
                _ = try await self.bump(done.groups)
            }
            if let event = use.event {
                try await self.query("UPDATE muster.event SET revision = revision + 1 WHERE id = $1", [.id(event)])
            }
        }
        try await self.query("DELETE FROM muster.photo WHERE id = $1", [.id(photo)])
    }

    /// The use of a photo.
    private struct Use {
        let spot: SpotID?
        let face: UserID?
        let event: EventID?
        let room: RoomID?
        let seq: Int64?

        init(_ row: PostgresRow) throws {
            self.spot = try row.optionalInt64("spot_id").map(SpotID.init)
            self.face = try row.optionalInt64("face_of").map(UserID.init)
            self.event = try row.optionalInt64("event_id").map(EventID.init)
            self.room = try row.optionalInt64("room_id").map(RoomID.init)
            self.seq = try row.optionalInt64("message_seq")
        }
    }
}
