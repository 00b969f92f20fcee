package import MusterCore
import Postgres

/// Something that an operator took away from everybody, and what of others changed with it.
package struct TakeDown: Sendable, Equatable {
    /// What can be taken away.
    package enum Subject: Sendable, Equatable {
        /// A message, by its number in the room; it stays as one that was deleted.
        case message(RoomID, seq: Int64)
        /// An event; its guests are told that it is off.
        case event(EventID)
        case spot(SpotID)
        case pin(PinID)
        /// A photo: a message that shows it goes with it, and a spot, an event or a person stays without.
        case photo(PhotoID)
    }

    package var subject: Subject
    /// The spot that is gone, or has lost its photo.
    package var spot: SpotID?
    /// The rooms in which messages were deleted.
    package var rooms: [RoomID] = []
    /// The groups in which somebody has lost their face.
    package var groups: [GroupID] = []

    init(_ subject: Subject) { self.subject = subject }

    static let columns = "t.what, t.subject_id, t.room_id, t.spot_id, t.rooms, t.groups"

    /// Reads a row with `columns`.
    init(_ row: PostgresRow) throws(PostgresError) {
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
    /// The words for what can be taken away.
    package enum Kind: String, Sendable, CaseIterable {
        case message
        case event
        case spot
        case pin
        case photo
    }
}

extension TakeDown.Subject {
    /// The word for what it is.
    package var kind: TakeDown.Kind {
        switch self {
        case .message: .message
        case .event: .event
        case .spot: .spot
        case .pin: .pin
        case .photo: .photo
        }
    }

    /// Its id; of a message its number in the room.
    package var number: Int64 {
        switch self {
        case .message(_, let seq): seq
        case .event(let id): id.rawValue
        case .spot(let id): id.rawValue
        case .pin(let id): id.rawValue
        case .photo(let id): id.rawValue
        }
    }

    /// The room of a message; nil else.
    package var room: RoomID? {
        switch self {
        case .message(let room, _): room
        case .event, .spot, .pin, .photo: nil
        }
    }
}
