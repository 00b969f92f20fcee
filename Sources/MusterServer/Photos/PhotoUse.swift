import MusterCore
import Postgres

/// The possible uses of a photo; a feature adds a constant, and its column in `muster.photo_use`.
struct PhotoUse {
    /// The column with the id of the user of the photo.
    let column: String
    /// The required shape of the photo.
    let shape: Photo.Shape

    /// Shown by a spot.
    static let spot = PhotoUse(column: "spot_id", shape: .photo)
    /// Shown by an event.
    static let event = PhotoUse(column: "event_id", shape: .photo)
    /// The avatar of a user.
    static let face = PhotoUse(column: "face_of", shape: .face)

    /// Starts the use of a photo of `user` that is not in use; changes one row, or none when there is no such photo.
    func begin<Subject>(_ photo: PhotoID?, by subject: Identifier<Subject>, of user: UserID) -> PostgresStatement {
        PostgresStatement(
            """
            INSERT INTO muster.photo_use (photo_id, \(self.column))
            SELECT p.id, $2 FROM muster.photo p
            WHERE p.id = $1 AND p.user_id = $3 AND p.shape = '\(self.shape.rawValue)'
            ON CONFLICT (photo_id) DO NOTHING
            """,
            [.optional(photo?.rawValue), .id(subject), .id(user)]
        )
    }
}
