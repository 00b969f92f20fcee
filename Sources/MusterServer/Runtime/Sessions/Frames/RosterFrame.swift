import MusterCore
import MusterWire

// The pieces of a frame and their order:
//
//     {"type":"roster","group":"81","epoch":"k3f","version":17,"full":true,"members":[   beginFull
//     {"user":"7","name":"Ada",…,"sharing":"live","lat":40.7128,…,"freshness":"live"}    appendMember, pieces inside
//     ],"gathering":null}                                                                endFull
//
// A difference has `"full":false`, `],"gone":[…]` and the gathering only if it has changed; an update has neither
// `full` nor `gathering`. A comma is needed unless a bracket has just been opened.

/// An encoder that joins a group's encoded pieces into `roster` and `update` frames.
///
/// The order of calls is: one `begin…`, any number of `appendMember`, then for a difference or an update `endMembers`
/// and any number of `appendGone`, and last the matching `end…`.
enum RosterFrame {
    // MARK: - Beginnings

    /// Begins a roster with all members.
    static func beginFull(group: GroupID, epoch: String, version: UInt64, to frame: inout [UInt8]) {
        self.beginRoster(group: group, epoch: epoch, version: version, to: &frame)
        frame.append(json: #","full":true,"members":["#)
    }

    /// Begins a roster with the changes since the client's version.
    static func beginDifference(group: GroupID, epoch: String, version: UInt64, to frame: inout [UInt8]) {
        self.beginRoster(group: group, epoch: epoch, version: version, to: &frame)
        frame.append(json: #","full":false,"members":["#)
    }

    /// Begins an update.
    static func beginUpdate(group: GroupID, version: UInt64, to frame: inout [UInt8]) {
        frame.append(json: #"{"type":"update","group":"#)
        frame.append(id: group)
        frame.append(json: #","version":"#)
        frame.append(integer: version)
        frame.append(json: #","members":["#)
    }

    private static func beginRoster(group: GroupID, epoch: String, version: UInt64, to frame: inout [UInt8]) {
        frame.append(json: #"{"type":"roster","group":"#)
        frame.append(id: group)
        frame.append(json: #","epoch":"#)
        frame.append(string: epoch)
        frame.append(json: #","version":"#)
        frame.append(integer: version)
    }

    // MARK: - Members

    /// Appends a member from encoded parts.
    ///
    /// An empty part is omitted.
    static func appendMember(
        _ user: UserID,
        profile: [UInt8] = [],
        position: [UInt8] = [],
        to frame: inout [UInt8]
    ) {
        frame.separateFromPrevious()
        frame.append(json: #"{"user":"#)
        frame.append(id: user)
        if !profile.isEmpty {
            frame.append(UInt8(ascii: ","))
            frame.append(contentsOf: profile)
        }
        if !position.isEmpty {
            frame.append(UInt8(ascii: ","))
            frame.append(contentsOf: position)
        }
        frame.append(UInt8(ascii: "}"))
    }

    /// Ends the members of a difference or an update, and begins the removed members.
    static func endMembers(_ frame: inout [UInt8]) { frame.append(json: #"],"gone":["#) }

    /// Appends a removed member.
    static func appendGone(_ user: UserID, to frame: inout [UInt8]) {
        frame.separateFromPrevious()
        frame.append(id: user)
    }

    // MARK: - Ends

    /// Ends a roster with all members.
    ///
    /// An empty `gathering` becomes `null`.
    static func endFull(gathering: [UInt8], to frame: inout [UInt8]) {
        frame.append(json: #"],"gathering":"#)
        if gathering.isEmpty { frame.append(json: "null") } else { frame.append(contentsOf: gathering) }
        frame.append(json: "}")
    }

    /// Ends a difference.
    ///
    /// `gathering` is the output of `appendGathering`; nil if it has not changed.
    static func endDifference(gathering: [UInt8]?, to frame: inout [UInt8]) {
        frame.append(json: "]")
        if let gathering {
            frame.append(json: #","gathering":"#)
            if gathering.isEmpty { frame.append(json: "null") } else { frame.append(contentsOf: gathering) }
        }
        frame.append(json: "}")
    }

    /// Ends an update.
    static func endUpdate(_ frame: inout [UInt8]) { frame.append(json: "]}") }

    // MARK: - Whole frames

    /// Returns the update that removes the recipient from a group, which is the last one for that group.
    static func departure(of user: UserID, from group: GroupID, version: UInt64) -> [UInt8] {
        var frame: [UInt8] = []
        self.beginUpdate(group: group, version: version, to: &frame)
        self.endMembers(&frame)
        self.appendGone(user, to: &frame)
        self.endUpdate(&frame)
        return frame
    }
}
