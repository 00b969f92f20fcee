/// Decides for one group who is together, and whom they left behind.
package struct GatheringMachine: Sendable {
    /// How far behind arrival observations are evaluated, in milliseconds, so that they can be put in order.
    package static let lag: Int64 = 3000

    /// The numbers that the group's owner chose.
    package private(set) var settings: GroupSettings

    /// One who is in the group when its machine starts.
    package struct Member: Sendable, Equatable {
        package var user: UserID
        package var isSharingLive: Bool
        /// Their newest shown position, from storage or from memory.
        package var position: StoredPosition?

        /// Creates a member.
        package init(user: UserID, isSharingLive: Bool, position: StoredPosition? = nil) {
            self.user = user
            self.isSharingLive = isSharingLive
            self.position = position
        }
    }

    /// Creates the machine of a group that has no gathering.
    package init(settings: GroupSettings, members: [Member] = [], at now: Timestamp) { self.settings = settings }

    /// Continues from a stored state; nil when the state is damaged or of an unknown version.
    ///
    /// Positions newer than the state count as known since the state was stored, because whoever reported all the while
    /// has not been unknown.
    package init?(restoring stored: StoredGathering, settings: GroupSettings, members: [Member], at now: Timestamp) {
        nil
    }

    /// Applies a change to the group at `now`, after everything that fell due before; returns what both decided.
    package mutating func apply(
        _ change: GatheringChange,
        at now: Timestamp,
        identifiers: inout IdentifierGenerator
    ) -> [GatheringEvent] { [] }

    /// Takes in a position that the gate lets drive gatherings; it is decided about by a later `evaluate`.
    package mutating func observe(_ user: UserID, _ observation: GatheringObservation, receivedAt now: Timestamp) {}

    /// Decides everything that falls due up to `now`, each thing at its own moment, whenever this is called.
    package mutating func evaluate(at now: Timestamp, identifiers: inout IdentifierGenerator) -> [GatheringEvent] { [] }

    /// The moment before which `evaluate` has nothing to do; nil when it waits for observations only.
    package var nextDeadline: Timestamp? { nil }

    /// What a roster shows; nil while there is no gathering.
    package var status: GatheringStatus? { nil }

    /// Everybody who was together at any time since the gathering began, by id.
    package var participants: [UserID] { [] }

    /// The state to store; nil when there is nothing worth keeping.
    package var stored: StoredGathering? { nil }
}
