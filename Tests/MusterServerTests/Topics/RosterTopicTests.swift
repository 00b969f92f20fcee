import MusterWire
import Testing

@testable import MusterCore
@testable import MusterServer
@testable import WebSocketGateway

@Suite struct RosterTopicTests {
    private static let group = GroupID(81)

    private static func entry(_ user: Int64, _ name: String, latitude: Double, version: UInt64) -> RosterEntry {
        RosterEntry(
            user: UserID(user),
            profile: RosterEntry.Profile(name: name, role: .member, presence: .online, sharing: .live),
            profileVersion: version,
            position: Self.position(latitude),
            positionVersion: version
        )
    }

    private static func position(_ latitude: Double) -> RosterEntry.Position {
        RosterEntry.Position(
            coordinate: Coordinate(latitude: latitude, longitude: 16),
            at: Timestamp(milliseconds: 1_735_689_600_000),
            freshness: .live
        )
    }

    private static func makeTopic() -> Topic {
        let members = (1...3).map { Self.entry($0, "Person \($0)", latitude: 48, version: 5) }
        let version = RosterVersion(epoch: "k3f", version: 5)
        let roster = RosterSnapshot(group: Self.group, version: version, members: members)
        var scratch: [UInt8] = []
        return Topic(RosterTopic.snapshot(roster, scratch: &scratch))
    }

    private static func change(_ version: UInt64, _ members: [RosterEntry], gone: [UserID] = []) -> TopicChange {
        let change = RosterChange(
            group: Self.group,
            version: RosterVersion(epoch: "k3f", version: version),
            members: members,
            gone: gone
        )
        return Self.encoded(change)
    }

    private static func encoded(_ change: RosterChange) -> TopicChange {
        var scratch = Array("left over".utf8)
        return RosterTopic.change(change, scratch: &scratch)
    }

    private func frame(_ append: (inout [UInt8]) -> Void) throws -> Frame {
        var bytes: [UInt8] = []
        append(&bytes)
        return try Frame(bytes)
    }

    @Test("a client that applies a difference holds what a full roster shows", arguments: [5, 6, 7, 8] as [UInt64])
    func convergence(held: UInt64) throws {
        let kind = RosterTopic()
        var topic = Self.makeTopic()
        var client = Roster()
        let changes = [
            Self.change(6, [RosterEntry(user: UserID(1), position: Self.position(49), positionVersion: 6)]),
            Self.change(7, [Self.entry(4, "Newcomer", latitude: 50, version: 7)], gone: [UserID(2)]),
            Self.change(8, [RosterEntry(user: UserID(4), position: Self.position(51), positionVersion: 8)]),
        ]
        if held == 5 { client.apply(try self.frame { kind.appendReset(topic, for: TopicCursor(version: 0), to: &$0) }) }
        for change in changes {
            topic.apply(change)
            if topic.version == held {
                client.apply(try self.frame { kind.appendReset(topic, for: TopicCursor(version: 0), to: &$0) })
            }
        }
        var expected = Roster()
        expected.apply(try self.frame { kind.appendReset(topic, for: TopicCursor(version: 0), to: &$0) })

        let difference = try self.frame { kind.appendDifference(topic, for: TopicCursor(version: held), to: &$0) }
        client.apply(difference)
        #expect(difference["full"].bool == false)
        #expect(difference["members"].elements.allSatisfy { $0["user"].string != "3" }, "nobody changed Person 3")
        #expect(client.version == 8)
        #expect(Set(client.members.keys) == ["1", "3", "4"])
        for (user, member) in expected.members {
            #expect(client[user].latitude == member.latitude)
            #expect(client[user]["name"]?.string == member["name"]?.string)
        }
    }

    @Test("who moved is sent without what stayed the same, and when nothing is new there is no update")
    func update() throws {
        let kind = RosterTopic()
        var topic = Self.makeTopic()
        topic.apply(Self.change(6, [RosterEntry(user: UserID(1), position: Self.position(49), positionVersion: 6)]))
        let update = try self.frame { bytes in
            let hasChanges = kind.appendUpdate(topic, for: TopicCursor(version: 5), to: &bytes)
            #expect(hasChanges)
        }
        #expect(update.type == "update")
        #expect(update["members"].count == 1)
        #expect(update["members"][0]["lat"].double == 49)
        #expect(update["members"][0]["name"].isAbsent)
        var nothing: [UInt8] = []
        let hasChanges = kind.appendUpdate(topic, for: TopicCursor(version: 6), to: &nothing)
        #expect(!hasChanges)
        #expect(nothing.isEmpty)
    }

    @Test("a difference tells of the gathering only when that changed")
    func gathering() throws {
        let kind = RosterTopic()
        var topic = Self.makeTopic()
        let status = GatheringStatus(
            gathering: GatheringID(6001),
            state: .together,
            since: Timestamp(milliseconds: 1_735_689_600_000),
            place: GatheringPlace(lat: 48, lon: 16),
            together: [UserID(1), UserID(2)],
            absent: [UserID(3)]
        )
        topic.apply(
            Self.encoded(
                RosterChange(
                    group: Self.group,
                    version: RosterVersion(epoch: "k3f", version: 6),
                    gathering: .changed(status, current: status)
                )
            )
        )
        let news = try self.frame { kind.appendDifference(topic, for: TopicCursor(version: 5), to: &$0) }
        #expect(news["gathering"]["absent"].strings == ["3"])
        let known = try self.frame { kind.appendDifference(topic, for: TopicCursor(version: 6), to: &$0) }
        #expect(known["gathering"].isAbsent)
        #expect(
            try self.frame { kind.appendReset(topic, for: TopicCursor(version: 0), to: &$0) }["gathering"]["gathering"]
                .string == "6001"
        )
    }
}
