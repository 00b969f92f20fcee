import MusterWire
import Testing

@testable import MusterCore
@testable import MusterServer

@Suite struct RosterFrameTests {
    private static let ada = RosterEntry.Profile(name: "Ada", role: .owner, presence: .online, sharing: .live)
    private static let here = RosterEntry.Position(
        coordinate: Coordinate(latitude: 40.7128, longitude: -74.006),
        at: Timestamp(milliseconds: 1_732_060_800_123),
        accuracy: 8,
        speed: 1.4,
        course: 270,
        battery: 0.81,
        freshness: .live
    )

    static let full: String = {
        var frame: [UInt8] = []
        RosterFrame.beginFull(group: GroupID(81), epoch: "k3f", version: 17, to: &frame)
        RosterFrame.appendMember(UserID(7), profile: profile(ada), position: position(here), to: &frame)
        RosterFrame.appendMember(
            UserID(8),
            profile: profile(
                RosterEntry.Profile(
                    name: "Ben",
                    avatar: GoldenFrames.photo.thumb,
                    role: .member,
                    presence: .offline,
                    sharing: .paused,
                    lastSeen: Timestamp(milliseconds: 1_732_060_800_000)
                )
            ),
            position: position(RosterEntry.Position()),
            to: &frame
        )
        RosterFrame.endFull(gathering: [], to: &frame)
        return String(decoding: frame, as: UTF8.self)
    }()

    static let difference: String = {
        var frame: [UInt8] = []
        RosterFrame.beginDifference(group: GroupID(81), epoch: "k3f", version: 19, to: &frame)
        let hidden = RosterEntry.Position(withdrawn: [.place, .accuracy, .altitude, .speed, .course, .battery])
        RosterFrame.appendMember(UserID(7), position: position(hidden), to: &frame)
        RosterFrame.endMembers(&frame)
        RosterFrame.appendGone(UserID(8), to: &frame)
        RosterFrame.appendGone(UserID(9), to: &frame)
        var gathering: [UInt8] = []
        RosterFrame.appendGathering(GoldenFrames.status, to: &gathering)
        RosterFrame.endDifference(gathering: gathering, to: &frame)
        return String(decoding: frame, as: UTF8.self)
    }()

    static let update: String = {
        var frame: [UInt8] = []
        RosterFrame.beginUpdate(group: GroupID(81), version: 20, to: &frame)
        RosterFrame.appendMember(UserID(7), position: position(here), to: &frame)
        var back = ada
        back.withdrawsLastSeen = true
        RosterFrame.appendMember(UserID(8), profile: profile(back), to: &frame)
        RosterFrame.endMembers(&frame)
        RosterFrame.endUpdate(&frame)
        return String(decoding: frame, as: UTF8.self)
    }()

    @Test("a full roster has every member with both parts, and says that there is no gathering")
    func fullRoster() {
        #expect(
            Self.full
                == #"{"type":"roster","group":"81","epoch":"k3f","version":17,"full":true,"members":["#
                + #"{"user":"7","name":"Ada","avatar":null,"role":"owner","presence":"online","sharing":"live","#
                + #""lat":40.7128,"lon":-74.006,"accuracy":8,"at":1732060800123,"speed":1.4,"course":270,"#
                + #""battery":0.81,"freshness":"live"},"#
                + #"{"user":"8","name":"Ben","#
                + #""avatar":"/v1/photos/5/thumb?k=0f1e2d3c4b5a69788796a5b4c3d2e1f0","role":"member","#
                + #""presence":"offline","#
                + #""sharing":"paused","lastSeen":1732060800000,"freshness":"unknown"}],"gathering":null}"#
        )
    }

    @Test("a difference withdraws with null, names who is gone and carries a changed gathering")
    func differenceRoster() {
        #expect(
            Self.difference
                == #"{"type":"roster","group":"81","epoch":"k3f","version":19,"full":false,"members":["#
                + #"{"user":"7","lat":null,"lon":null,"accuracy":null,"at":null,"altitude":null,"speed":null,"#
                + #""course":null,"battery":null,"freshness":"unknown"}],"gone":["8","9"],"#
                + #""gathering":{"gathering":"6001","state":"together","since":1732060800000,"#
                + #""place":{"lat":40.7128,"lon":-74.006,"name":"Blue Bottle"},"together":["7","8"],"#
                + #""absent":["9"]}}"#
        )
    }

    @Test("an update carries the parts that changed alone")
    func updateFrame() {
        #expect(
            Self.update
                == #"{"type":"update","group":"81","version":20,"members":["#
                + #"{"user":"7","lat":40.7128,"lon":-74.006,"accuracy":8,"at":1732060800123,"speed":1.4,"#
                + #""course":270,"battery":0.81,"freshness":"live"},"#
                + #"{"user":"8","name":"Ada","avatar":null,"role":"owner","presence":"online","sharing":"live","#
                + #""lastSeen":null}],"gone":[]}"#
        )
    }

    @Test("a difference without a changed gathering says nothing of it, and one that ended is null")
    func differenceGathering() {
        var silent: [UInt8] = []
        RosterFrame.beginDifference(group: GroupID(81), epoch: "k", version: 2, to: &silent)
        RosterFrame.endMembers(&silent)
        var ended = silent
        RosterFrame.endDifference(gathering: nil, to: &silent)
        RosterFrame.endDifference(gathering: [], to: &ended)
        let head = #"{"type":"roster","group":"81","epoch":"k","version":2,"full":false,"members":[],"gone":[]"#
        #expect(String(decoding: silent, as: UTF8.self) == head + "}")
        #expect(String(decoding: ended, as: UTF8.self) == head + #","gathering":null}"#)
    }

    private static func profile(_ profile: RosterEntry.Profile) -> [UInt8] {
        var piece: [UInt8] = []
        RosterFrame.appendProfile(profile, to: &piece)
        return piece
    }

    private static func position(_ position: RosterEntry.Position) -> [UInt8] {
        RosterFrame.encoded(position)
    }
}
