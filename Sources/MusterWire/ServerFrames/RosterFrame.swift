package import MusterCore

/// Joins a group's encoded pieces into `roster` and `update` frames.
///
/// A frame is: one `begin…`, any number of `appendMember`, then for a difference or an update `endMembers` and any
/// number of `appendGone`, and last the `end…` that goes with the beginning.
package enum RosterFrame {
    // MARK: - Pieces

    /// Appends a member's slow part: fields without braces.
    package static func appendProfile(_ profile: RosterEntry.Profile, to piece: inout [UInt8]) {
        preconditionFailure("skeleton")
    }

    /// Appends a member's fast part: fields without braces; a field that was withdrawn is null.
    package static func appendPosition(_ position: RosterEntry.Position, to piece: inout [UInt8]) {
        preconditionFailure("skeleton")
    }

    /// Appends what a roster embeds of a gathering: an object, or `null`.
    package static func appendGathering(_ gathering: GatheringStatus?, to piece: inout [UInt8]) {
        preconditionFailure("skeleton")
    }

    // MARK: - Beginnings

    /// Begins a roster with all members.
    package static func beginFull(group: GroupID, epoch: String, version: UInt64, to frame: inout [UInt8]) {
        preconditionFailure("skeleton")
    }

    /// Begins a roster with what changed since the client's version.
    package static func beginDifference(group: GroupID, epoch: String, version: UInt64, to frame: inout [UInt8]) {
        preconditionFailure("skeleton")
    }

    /// Begins an update.
    package static func beginUpdate(group: GroupID, version: UInt64, to frame: inout [UInt8]) {
        preconditionFailure("skeleton")
    }

    // MARK: - Members

    /// Appends a member from encoded parts; an empty part is left out.
    package static func appendMember(
        _ user: UserID,
        profile: [UInt8] = [],
        position: [UInt8] = [],
        to frame: inout [UInt8]
    ) { preconditionFailure("skeleton") }

    /// Ends the members of a difference or an update and begins those who are gone.
    package static func endMembers(_ frame: inout [UInt8]) { preconditionFailure("skeleton") }

    /// Appends one who is gone.
    package static func appendGone(_ user: UserID, to frame: inout [UInt8]) { preconditionFailure("skeleton") }

    // MARK: - Ends

    /// Ends a roster with all members; an empty `gathering` is `null`.
    package static func endFull(gathering: [UInt8], to frame: inout [UInt8]) { preconditionFailure("skeleton") }

    /// Ends a difference; `gathering` is what `appendGathering` made, nil when it did not change.
    package static func endDifference(gathering: [UInt8]?, to frame: inout [UInt8]) { preconditionFailure("skeleton") }

    /// Ends an update.
    package static func endUpdate(_ frame: inout [UInt8]) { preconditionFailure("skeleton") }
}
