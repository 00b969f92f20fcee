/// A committed change that the live state of a process must learn of.
///
/// Requests, the change feed, take-downs and the deletion of accounts all produce changes; `ChangeRouter` sends each to
/// every part of the live state that it concerns.
package enum Change: Sendable, Equatable {
    /// A row was created or changed.
    case row(ChangedRow)
    /// A row was deleted.
    case deleted(RowKind, id: Int64)
    /// A group was created or changed; without members when it was deleted.
    case group(GroupSnapshot)
    /// Rooms have messages that the chat writer did not write.
    case rooms([RoomID])
    /// The counts of votes on a spot changed.
    case votes(SpotID)
    /// A login ended.
    case loginEnded(LoginID)
    /// An account was deleted.
    case accountDeleted(UserID)
    /// A user blocked or unblocked another user.
    case blocked(UserID, other: UserID, Bool)
    /// A message to an audience.
    case published(Publication)
}

/// A kind of row that the live state copies, and that storage numbers by revision.
///
/// Its raw value is the kind's name in the change feed.
package enum RowKind: String, Sendable, CaseIterable {
    case pin
    case event
    case spot
}

/// The state of a row at a revision.
package enum ChangedRow: Sendable, Equatable {
    case pin(Pin)
    case event(Event)
    case spot(StoredSpot)

    /// The kind of the row.
    package var kind: RowKind {
        switch self {
        case .pin: .pin
        case .event: .event
        case .spot: .spot
        }
    }

    /// The id of the row; ids are never reused.
    package var id: Int64 {
        switch self {
        case .pin(let pin): pin.id.rawValue
        case .event(let event): event.id.rawValue
        case .spot(let spot): spot.point.id
        }
    }

    /// The revision, which rises with every change.
    package var revision: Int64 {
        switch self {
        case .pin(let pin): pin.revision
        case .event(let event): event.revision
        case .spot(let spot): spot.revision
        }
    }
}

/// A spot as the live state copies it: its point on maps, and its name for gatherings.
package struct StoredSpot: Sendable, Equatable {
    package var point: TilePoint
    package var place: NamedPlace
    package var revision: Int64

    /// Creates a copy.
    package init(point: TilePoint, place: NamedPlace, revision: Int64) {
        self.point = point
        self.place = place
        self.revision = revision
    }

    /// The copy of a whole spot.
    package init(_ spot: Spot) {
        self.init(point: TilePoint(spot), place: spot.place, revision: spot.revision)
    }
}
