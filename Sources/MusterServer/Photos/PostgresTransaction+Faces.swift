import MusterCore
import Postgres

extension PostgresTransaction {
    /// Deletes a user's avatar; a trigger deletes the photo with its use, and the copy of its address in the profile.
    func removeFace(of user: UserID) async throws {
        try await self.query("DELETE FROM muster.photo_use WHERE face_of = $1", [.id(user)])
    }

    /// Replaces a user's avatar and deletes the previous one; the same photo again changes nothing.
    ///
    /// - Throws: `badRequest` when the photo was not uploaded as an avatar; `notFound` when it is not the user's or is
    ///   in use.
    func replaceFace(of user: UserID, by photo: PhotoID) async throws {
        let results = try await self.pipeline([
            PostgresStatement(
                "DELETE FROM muster.photo_use WHERE face_of = $1 AND photo_id <> $2",
                [.id(user), .id(photo)]
            ),
            PhotoUse.face.begin(photo, by: user, of: user),
            PostgresStatement(
                """
                UPDATE muster.account a SET avatar = muster.photo_address(p.id, p.key, true)
                FROM muster.photo_use u JOIN muster.photo p ON p.id = u.photo_id
                WHERE a.id = $1 AND u.face_of = a.id AND p.id = $2
                """,
                [.id(user), .id(photo)]
            ),
            PostgresStatement(
                "SELECT id FROM muster.photo p WHERE id = $2 AND user_id = $1 AND shape <> 'face'",
                [.id(user), .id(photo)]
            ),
        ])
        guard results[2].affectedRows == 0 else { return }
        try require(results[3].rowCount == 0, "avatar", "must be a photo that was uploaded with ?use=avatar")
        throw Directory.unknownPhoto
    }
}
