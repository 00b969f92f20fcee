import MusterCore
import MusterWire
import Postgres

/// A share picture that is visible now, according to storage.
struct OpenShare: Sendable, Equatable {
    var group: GroupID
    /// The current name of the group.
    var groupName: String
    /// The creator of the picture.
    var maker: UserID
    /// The users on the picture, with the precision of their positions.
    var shown: [UserID: Sharing.Mode]
    var createdAt: Timestamp
    var expiresAt: Timestamp
    /// The picture; empty when it was not requested.
    var png: [UInt8]
}

extension Directory {
    /// Finds the picture of an address, without a login.
    ///
    /// - Throws: `notFound` when there is no such picture, or it expired long ago; `gone` when it has expired or was
    ///   revoked; `unavailable`.
    func openShare(code: String, withPicture: Bool) async throws -> OpenShare {
        let result = try await self.query(
            """
            SELECT s.revoked_at IS NULL AND s.expires_at > $2 AND s.png IS NOT NULL AND g.id IS NOT NULL
                    AND s.maker_id IS NOT NULL AS open,
                s.group_id, s.maker_id, g.name, s.created_at, s.expires_at, CASE WHEN $3 THEN s.png ELSE ''::bytea END AS png,
                ARRAY(SELECT m.user_id FROM muster.share_member m WHERE m.share_id = s.id ORDER BY m.user_id) AS users,
                ARRAY(SELECT m.shown_as::text FROM muster.share_member m WHERE m.share_id = s.id ORDER BY m.user_id) AS modes
            FROM muster.share s LEFT JOIN muster.grp g ON g.id = s.group_id
            WHERE s.code_hash = $1
            """,
            [.bytea(ShareCode(text: code).hash), .timestamptz(self.now), .bool(withPicture)]
        )
        guard let row = result.first else { throw FrameError(.notFound, message: "There is no such picture.") }
        guard try row.bool("open") else {
            throw FrameError(.gone, message: "This picture has expired or was withdrawn.")
        }
        let users = try row.int64Array("users").compactMap { $0.map(UserID.init) }
        let modes = try row.textArray("modes").compactMap { $0.flatMap(Sharing.Mode.init(rawValue:)) }
        return OpenShare(
            group: try row.id("group_id"),
            groupName: try row.text("name"),
            maker: try row.id("maker_id"),
            shown: Dictionary(uniqueKeysWithValues: zip(users, modes)),
            createdAt: try row.timestamp("created_at"),
            expiresAt: try row.timestamp("expires_at"),
            png: try row.bytes("png")
        )
    }
}
