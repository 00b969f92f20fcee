package import MusterCore
import Postgres

/// Content that an operator removed, and the other data that changed with it.
package struct TakeDown: Sendable, Equatable {
    /// The content to remove.
    package enum Subject: Sendable, Equatable {
        /// A message, by its number in the room; it remains as a deleted one.
        case message(RoomID, seq: Int64)
        /// An event; its guests are notified of the cancellation.
        case event(EventID)
        case spot(SpotID)
        case pin(PinID)
        /// A photo; a message that shows it is removed too, while a spot, an event or a profile only loses the photo.
        case photo(PhotoID)
    }

    package var subject: Subject
    /// The spot that was deleted or lost its photo.
    var spot: SpotID?
    /// The rooms with deleted messages.
    var rooms: [RoomID] = []
    /// The groups in which a member lost the avatar.
    var groups: [GroupID] = []

    init(_ subject: Subject) { self.subject = subject }

    static let columns = "t.what, t.subject_id, t.room_id, t.spot_id, t.rooms, t.groups"

    /// Reads a row with `columns`.
    init(_ row: PostgresRow) throws {
        let id = try row.int64("subject_id")
        self.subject =
            switch try row.choice("what") as Kind {
            case .message: .message(try row.id("room_id"), seq: id)
            case .event: .event(EventID(id))
            case .spot: .spot(SpotID(id))
            case .pin: .pin(PinID(id))
            case .photo: .photo(PhotoID(id))
            }
        self.spot = try row.optionalInt64("spot_id").map(SpotID.init)
        self.rooms = try row.int64Array("rooms").compactMap { $0.map(RoomID.init) }
        self.groups = try row.int64Array("groups").compactMap { $0.map(GroupID.init) }
    }
}

extension TakeDown {
    /// The kinds of content that can be removed.
    package enum Kind: String, Sendable, CaseIterable {
        case message
        case event
        case spot
        case pin
        case photo
    }
}

extension TakeDown.Subject {
    /// The kind of content.
    package var kind: TakeDown.Kind {
        switch self {
        case .message: .message
        case .event: .event
        case .spot: .spot
        case .pin: .pin
        case .photo: .photo
        }
    }

    /// The id; for a message its number in the room.
    package var number: Int64 {
        switch self {
        case .message(_, let seq): seq
        case .event(let id): id.rawValue
        case .spot(let id): id.rawValue
        case .pin(let id): id.rawValue
        case .photo(let id): id.rawValue
        }
    }

    /// The room of a message; nil otherwise.
    var room: RoomID? {
        switch self {
        case .message(let room, _): room
        case .event, .spot, .pin, .photo: nil
        }
    }
}
