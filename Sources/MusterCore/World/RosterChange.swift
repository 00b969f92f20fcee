/// What changed in a roster between two versions; with `isWhole`, all of it.
package struct RosterChange: Sendable, Equatable, Codable {
    package var group: GroupID
    /// The version after the change.
    package var version: RosterVersion
    /// Members whose profile or position changed.
    package var members: [RosterEntry]
    /// Members who left.
    package var gone: [UserID]
    /// What the roster says of the gathering, when that changed.
    package var gathering: GatheringChange

    /// Whether the gathering changed, and to what.
    package enum GatheringChange: Sendable, Equatable, Codable {
        case unchanged
        /// A frame of its own tells it; `current` is what a roster shows from then on, nil once it has ended.
        indirect case changed(GatheringStatus, current: GatheringStatus?)
    }

    /// Creates a change.
    package init(
        group: GroupID,
        version: RosterVersion,
        members: [RosterEntry] = [],
        gone: [UserID] = [],
        gathering: GatheringChange = .unchanged
    ) {
        self.group = group
        self.version = version
        self.members = members
        self.gone = gone
        self.gathering = gathering
    }
}

/// A whole roster, for a gateway that begins to follow it.
package struct RosterSnapshot: Sendable, Equatable, Codable {
    /// A member who left, and the version that said so.
    package struct Departure: Sendable, Equatable, Codable {
        package var user: UserID
        package var version: UInt64

        /// Names one who left.
        package init(user: UserID, version: UInt64) {
            self.user = user
            self.version = version
        }
    }

    package var group: GroupID
    package var version: RosterVersion
    /// All members, each with both parts.
    package var members: [RosterEntry]
    /// Those who left in this epoch, oldest first, as far as they are kept.
    package var departures: [Departure]
    /// A resume from before this version needs a full roster.
    package var departuresKeptSince: UInt64
    package var gathering: GatheringStatus?
    /// The version at which the gathering last changed; 0 when it never did.
    package var gatheringVersion: UInt64

    /// Creates a snapshot.
    package init(
        group: GroupID,
        version: RosterVersion,
        members: [RosterEntry],
        departures: [Departure] = [],
        departuresKeptSince: UInt64 = 0,
        gathering: GatheringStatus? = nil,
        gatheringVersion: UInt64 = 0
    ) {
        self.group = group
        self.version = version
        self.members = members
        self.departures = departures
        self.departuresKeptSince = departuresKeptSince
        self.gathering = gathering
        self.gatheringVersion = gatheringVersion
    }
}
