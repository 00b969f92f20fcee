/// The changes of a roster between two versions.
package struct RosterChange: Sendable, Equatable {
    package var group: GroupID
    /// The version after the change.
    package var version: RosterVersion
    /// Members whose profile or position changed.
    package var members: [RosterEntry]
    /// Members who left.
    package var gone: [UserID]
    /// The change of the gathering.
    package var gathering: GatheringChange

    /// Whether the gathering changed, and its new state.
    package enum GatheringChange: Sendable, Equatable {
        case unchanged
        /// A separate frame carries the change. `current` is the state that rosters show from then on; nil after the
        /// end.
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

/// A complete roster, for a gateway that starts to mirror it.
package struct RosterSnapshot: Sendable, Equatable {
    /// A member who left, with the version that removed them.
    package struct Departure: Sendable, Equatable {
        package var user: UserID
        package var version: UInt64

        /// Creates a departure.
        package init(user: UserID, version: UInt64) {
            self.user = user
            self.version = version
        }
    }

    package var group: GroupID
    package var version: RosterVersion
    /// All members, each with both parts.
    package var members: [RosterEntry]
    /// The members who left in this epoch, oldest first, up to a limit.
    package var departures: [Departure]
    /// The oldest version that `departures` covers; an older resume gets a full roster.
    package var departuresKeptSince: UInt64
    package var gathering: GatheringStatus?
    /// The version of the last gathering change; 0 when there was none.
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
