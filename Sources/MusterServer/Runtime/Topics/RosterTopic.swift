package import MusterCore
import MusterWire
package import WebSocketGateway

/// A group's roster as a topic of the gateway.
///
/// Each member is an entry of two fragments; the gathering is the note.
package struct RosterTopic: TopicKind {
    /// The number of this kind.
    static let kind: UInt8 = 1

    /// Only members follow a roster, and they know their own positions.
    package let rules = TopicRules(pacing: .conflated, followers: .entries, knowsOwnEntry: true)

    /// The topic of a group.
    static func id(_ group: GroupID) -> TopicID { TopicID(kind: Self.kind, key: group.rawValue) }

    // MARK: - Mirror content

    // Fragments are created as arrays of exact length, because every gateway keeps a pair for every member. The gateway
    // keeps the first arrays and copies later fragments into the same memory where they fit (`TopicFragment`). Profiles
    // have no maximum length, so they are assembled in `scratch`, which keeps its capacity.

    /// The encoded snapshot of a roster.
    static func snapshot(_ roster: RosterSnapshot, scratch: inout [UInt8]) -> TopicSnapshot {
        TopicSnapshot(
            id: Self.id(roster.group),
            epoch: roster.version.epoch,
            version: roster.version.version,
            entries: roster.members.map { member in
                TopicEntry(
                    key: member.user.rawValue,
                    stable: Self.fragment(member.profileVersion, Self.profile(member, &scratch)),
                    volatile: Self.fragment(member.positionVersion, Self.position(member))
                )
            },
            tombstones: roster.departures.map { TopicTombstone(key: $0.user.rawValue, version: $0.version) },
            floor: roster.departuresKeptSince,
            note: TopicNote(
                version: roster.gatheringVersion,
                frame: roster.gathering.map { ServerFrame.gathering($0, group: roster.group).encoded } ?? [],
                summary: Self.summary(roster.gathering)
            )
        )
    }

    /// The encoded change of a roster.
    package static func change(_ change: RosterChange, scratch: inout [UInt8]) -> TopicChange {
        var note: TopicChange.Note?
        if case .changed(let status, let current) = change.gathering {
            note = TopicChange.Note(
                frame: ServerFrame.gathering(status, group: change.group).encoded,
                summary: Self.summary(current)
            )
        }
        return TopicChange(
            topic: Self.id(change.group),
            version: change.version.version,
            entries: change.members.map { member in
                TopicChange.Entry(
                    key: member.user.rawValue,
                    stable: Self.profile(member, &scratch),
                    volatile: Self.position(member)
                )
            },
            removed: change.gone.map(\.rawValue),
            note: note
        )
    }

    private static func fragment(_ version: UInt64, _ bytes: [UInt8]?) -> TopicFragment {
        TopicFragment(version: version, bytes: bytes ?? [])
    }

    private static func profile(_ member: RosterEntry, _ scratch: inout [UInt8]) -> [UInt8]? {
        guard let profile = member.profile else { return nil }
        scratch.removeAll(keepingCapacity: true)
        RosterFrame.appendProfile(profile, to: &scratch)
        return scratch.withUnsafeBufferPointer { Array($0) }
    }

    private static func position(_ member: RosterEntry) -> [UInt8]? {
        member.position.map(RosterFrame.encoded)
    }

    private static func summary(_ gathering: GatheringStatus?) -> [UInt8] {
        var piece: [UInt8] = []
        RosterFrame.appendGathering(gathering, to: &piece)
        return piece
    }

    // MARK: - Client frames

    package func appendReset(_ topic: Topic, for cursor: TopicCursor, to frame: inout [UInt8]) {
        RosterFrame.beginFull(group: GroupID(topic.id.key), epoch: topic.epoch, version: topic.version, to: &frame)
        for entry in topic.entries {
            RosterFrame.appendMember(
                UserID(entry.key),
                profile: entry.stable.bytes,
                position: entry.volatile.bytes,
                to: &frame
            )
        }
        RosterFrame.endFull(gathering: topic.note?.summary ?? [], to: &frame)
    }

    package func appendDifference(_ topic: Topic, for cursor: TopicCursor, to frame: inout [UInt8]) {
        RosterFrame.beginDifference(
            group: GroupID(topic.id.key),
            epoch: topic.epoch,
            version: topic.version,
            to: &frame
        )
        Self.appendChanges(topic, cursor, to: &frame)
        let note = topic.note.flatMap { $0.version > cursor.version ? $0.summary : nil }
        RosterFrame.endDifference(gathering: note, to: &frame)
    }

    package func appendUpdate(_ topic: Topic, for cursor: TopicCursor, to frame: inout [UInt8]) -> Bool {
        let start = frame.count
        RosterFrame.beginUpdate(group: GroupID(topic.id.key), version: topic.version, to: &frame)
        guard Self.appendChanges(topic, cursor, to: &frame) else {
            frame.removeLast(frame.count - start)
            return false
        }
        RosterFrame.endUpdate(&frame)
        return true
    }

    /// Appends the changes after the cursor and returns whether there are any.
    @discardableResult
    private static func appendChanges(_ topic: Topic, _ cursor: TopicCursor, to frame: inout [UInt8]) -> Bool {
        let hasEntries = topic.forEachEntry(after: cursor) { key, profile, position in
            RosterFrame.appendMember(UserID(key), profile: profile, position: position, to: &frame)
        }
        RosterFrame.endMembers(&frame)
        let hasGone = topic.forEachTombstone(after: cursor) { RosterFrame.appendGone(UserID($0), to: &frame) }
        return hasEntries || hasGone
    }
}
