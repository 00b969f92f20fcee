import MusterCore
import MusterWire
import Postgres

extension Directory {
    /// Stores a photo that is not in use yet.
    ///
    /// - Throws: `notFound` when there is no such account, `rateLimited` when the user's photos exceed the limit,
    ///   `unavailable`.
    func addPhoto(_ draft: PhotoDraft, by user: UserID) async throws -> Photo {
        let now = self.now
        let photo: PhotoID = self.nextID(at: now)
        let key = randomBytes(count: 16)
        return try await self.transaction { transaction in
            // The lock serialises the uploads of one user, so that each transaction sees the size of the others.
            let results = try await transaction.pipeline([
                PostgresStatement("SELECT id FROM muster.account WHERE id = $1 FOR NO KEY UPDATE", [.id(user)]),
                PostgresStatement(
                    "SELECT coalesce(sum(bytes), 0)::bigint AS bytes FROM muster.photo WHERE user_id = $1",
                    [.id(user)]
                ),
            ])
            guard results[0].rowCount == 1 else { throw FrameError(.notFound, message: "There is no such account.") }
            let kept = try results[1].first?.int64("bytes") ?? 0
            guard kept + Int64(draft.picture.count + draft.thumbnail.count) <= self.configuration.photoBytesPerPerson
            else {
                throw FrameError(
                    .rateLimited,
                    message:
                        "A user can store at most \(self.configuration.photoBytesPerPerson / 1_000_000) MB of photos.",
                    retryAfter: 3_600_000
                )
            }
            let stored = try await transaction.query(
                """
                INSERT INTO muster.photo AS p (id, user_id, shape, key, width, height, picture, thumbnail, created_at)
                VALUES ($1, $2, $3::text::muster.photo_shape, $4, $5, $6, $7, $8, $9) RETURNING \(Photo.columns)
                """,
                [
                    .id(photo), .id(user), .text(draft.shape.rawValue), .bytea(key), .int32(Int32(draft.width)),
                    .int32(Int32(draft.height)), .bytea(draft.picture), .bytea(draft.thumbnail), .timestamptz(now),
                ]
            )
            guard let row = stored.first, let photo = try Photo(row) else {
                throw FrameError(.internal, message: "A photo was not stored.")
            }
            return photo
        }
    }

    /// Returns the file of a photo to a caller that knows the secret part of its address, in hexadecimal digits.
    ///
    /// - Throws: `notFound` when the photo or the secret is wrong; `unavailable`.
    func photoFile(
        _ photo: PhotoID,
        key: String,
        _ size: PhotoFile.Size
    ) async throws -> PhotoFile {
        // Only the key is read first: a wrong guess causes no transfer of the file, and the timing reveals nothing
        // about the key.
        let found = try await self.query("SELECT key FROM muster.photo WHERE id = $1", [.id(photo)])
        let stored = try found.first?.bytes("key")
        guard let stored, isSecret(stored, inDigits: key) else { throw Self.unknownPhoto }
        let result = try await self.query(
            "SELECT \(size.rawValue) AS file, hash FROM muster.photo WHERE id = $1",
            [.id(photo)]
        )
        guard let row = result.first else { throw Self.unknownPhoto }
        return PhotoFile(bytes: try row.bytes("file"), hash: try row.bytes("hash"))
    }

    /// Deletes photos that have been unused for a day.
    func sweepPhotos(at now: Timestamp) async throws {
        try await self.transaction { transaction in
            let unused = "NOT EXISTS (SELECT FROM muster.photo_use u WHERE u.photo_id = p.id)"
            // The locks prevent new uses; the second statement sees uses that began earlier.
            let found = try await transaction.query(
                "SELECT p.id FROM muster.photo p WHERE p.created_at <= $1 AND \(unused) FOR UPDATE SKIP LOCKED",
                [.timestamptz(now - self.configuration.unusedPhotoLifetime)]
            )
            let photos = try found.map { row -> PhotoID in try row.id("id") }
            try await transaction.query(
                "DELETE FROM muster.photo p WHERE p.id = ANY ($1) AND \(unused)",
                [.ids(photos)]
            )
        }
    }

    static var unknownPhoto: FrameError {
        FrameError(.notFound, message: "There is no unused photo of yours with this id.")
    }
}
