import MusterCore
import MusterWire
import WebSocketGateway

/// A group's roster as a topic of the gateway: members are entries of two pieces, the gathering is the note.
struct RosterTopic: TopicFormat {
    /// The family of roster topics.
    static let kind: UInt8 = 1

    /// The topic of a group.
    static func id(_ group: GroupID) -> TopicID { TopicID(kind: Self.kind, key: group.rawValue) }

    // MARK: - What the gateway mirrors

    /// All of a roster, encoded.
    static func snapshot(_ roster: RosterSnapshot) -> TopicSnapshot {
        TopicSnapshot(
            id: Self.id(roster.group),
            epoch: roster.version.epoch,
            version: roster.version.version,
            entries: roster.members.map { member in
                TopicEntry(
                    key: member.user.rawValue,
                    stable: TopicFragment(version: member.profileVersion, bytes: Self.profile(member) ?? []),
                    volatile: TopicFragment(version: member.positionVersion, bytes: Self.position(member) ?? [])
                )
            },
            tombstones: roster.departures.map { TopicTombstone(key: $0.user.rawValue, version: $0.version) },
            tombstoneFloor: roster.departuresKeptSince,
            note: TopicNote(
                version: roster.gatheringVersion,
                frame: roster.gathering.map { ServerFrame.gathering($0, group: roster.group).encoded } ?? [],
                summary: Self.summary(roster.gathering)
            )
        )
    }

    /// A step of a roster, encoded.
    static func change(_ change: RosterChange) -> TopicChange {
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
                    stable: Self.profile(member),
                    volatile: Self.position(member)
                )
            },
            removed: change.gone.map(\.rawValue),
            note: note
        )
    }

    private static func profile(_ member: RosterEntry) -> [UInt8]? {
        member.profile.map { profile in
            var piece: [UInt8] = []
            piece.reserveCapacity(128)
            RosterFrame.appendProfile(profile, to: &piece)
            return piece
        }
    }

    private static func position(_ member: RosterEntry) -> [UInt8]? {
        member.position.map { position in
            var piece: [UInt8] = []
            piece.reserveCapacity(128)
            RosterFrame.appendPosition(position, to: &piece)
            return piece
        }
    }

    private static func summary(_ gathering: GatheringStatus?) -> [UInt8] {
        var piece: [UInt8] = []
        RosterFrame.appendGathering(gathering, to: &piece)
        return piece
    }

    // MARK: - What clients read

    func appendFull(_ topic: Topic, to frame: inout [UInt8]) {
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

    func appendDifference(_ topic: Topic, since version: UInt64, to frame: inout [UInt8]) {
        RosterFrame.beginDifference(
            group: GroupID(topic.id.key),
            epoch: topic.epoch,
            version: topic.version,
            to: &frame
        )
        Self.appendChanges(topic, since: version, to: &frame)
        let note = topic.note.flatMap { $0.version > version ? $0.summary : nil }
        RosterFrame.endDifference(gathering: note, to: &frame)
    }

    func appendUpdate(_ topic: Topic, since version: UInt64, to frame: inout [UInt8]) -> Bool {
        let hasNews =
            topic.entries.contains { $0.version > version } || !topic.tombstones(since: version).isEmpty
        guard hasNews else { return false }
        RosterFrame.beginUpdate(group: GroupID(topic.id.key), version: topic.version, to: &frame)
        Self.appendChanges(topic, since: version, to: &frame)
        RosterFrame.endUpdate(&frame)
        return true
    }

    private static func appendChanges(_ topic: Topic, since version: UInt64, to frame: inout [UInt8]) {
        for entry in topic.entries where entry.version > version {
            RosterFrame.appendMember(
                UserID(entry.key),
                profile: entry.stable.version > version ? entry.stable.bytes : [],
                position: entry.volatile.version > version ? entry.volatile.bytes : [],
                to: &frame
            )
        }
        RosterFrame.endMembers(&frame)
        for tombstone in topic.tombstones(since: version) {
            RosterFrame.appendGone(UserID(tombstone.key), to: &frame)
        }
    }
}
