import Testing

@testable import MusterCore
@testable import MusterServer
@testable import MusterWire

/// A frame and its exact bytes on the wire.
struct Golden<Frame: Sendable>: Sendable, CustomTestStringConvertible {
    let frame: Frame
    let json: String

    var testDescription: String { self.json }
}

/// The frames that the tests share.
enum GoldenFrames {
    static let climbers = Welcome.Group(
        id: GroupID(81),
        name: "Sunday climbers",
        role: .owner,
        settings: GroupSettings()
    )
    static let bluebottle = GatheringPlace(lat: 40.7128, lon: -74.006, name: "Blue Bottle")
    static let status = GatheringStatus(
        gathering: GatheringID(6001),
        state: .together,
        since: Timestamp(milliseconds: 1_732_060_800_000),
        place: bluebottle,
        together: [UserID(7), UserID(8)],
        absent: [UserID(9)]
    )
    static let position = SelfPosition(
        coordinate: Coordinate(latitude: 40.7128, longitude: -74.006),
        accuracy: 8,
        at: Timestamp(milliseconds: 1_732_060_800_123),
        device: DeviceID(31)
    )
    static let alert = LeftWithoutYou(
        user: UserID(9),
        group: GroupID(81),
        groupName: "Sunday climbers",
        gathering: GatheringID(6001),
        variant: .departed,
        at: Timestamp(milliseconds: 1_732_060_800_000),
        since: Timestamp(milliseconds: 1_732_060_620_000),
        place: GatheringPlace(lat: 40.7128, lon: -74.006),
        together: [.init(id: UserID(7), name: "Ada"), .init(id: UserID(8), name: "Ben")],
        distance: 2140.04,
        you: .init(lat: 40.73, lon: -74, at: Timestamp(milliseconds: 1_732_060_780_000))
    )
    static let welcome = Welcome(
        tag: .number(1),
        user: UserProfile(id: UserID(7), name: "Ada"),
        device: DeviceID(31),
        acknowledgedSequence: 40,
        groups: [
            Welcome.Group(
                id: climbers.id,
                name: climbers.name,
                role: climbers.role,
                settings: climbers.settings,
                sharing: Sharing()
            ),
            Welcome.Group(
                id: GroupID(82),
                name: "Divers",
                role: .member,
                settings: GroupSettings(radius: 62.5),
                sharing: Sharing(mode: .approximate, until: Timestamp(milliseconds: 1_732_064_400_000))
            ),
        ]
    )
    static let now = Timestamp(milliseconds: 1_732_060_800_000)

    static let server: [Golden<ServerFrame>] = [
        Golden(
            frame: .welcome(welcome, session: SessionID(9001), at: now, ServerTerms()),
            json: #"{"type":"welcome","id":1,"session":"9001","user":{"id":"7","name":"Ada","avatar":null},"#
                + #""device":{"id":"31","ackedSeq":40},"at":1732060800000,"tick":1000,"ping":25000,"#
                + #""limits":{"frameBytes":65536,"fixesPerSecond":10,"fixesPerFrame":200},"#
                + #""groups":[{"id":"81","name":"Sunday climbers","role":"owner","#
                + #""settings":{"radius":100,"dwell":180,"maxAbsent":1,"cooldown":1800},"#
                + #""sharing":{"mode":"live","until":null,"pictures":true}},{"id":"82","name":"Divers","role":"member","#
                + #""settings":{"radius":62.5,"dwell":180,"maxAbsent":1,"cooldown":1800},"#
                + #""sharing":{"mode":"approximate","until":1732064400000,"then":"live","pictures":true}}]}"#
        ),
        Golden(
            frame: .welcome(
                Welcome(
                    tag: nil,
                    user: UserProfile(id: UserID(7), name: "Zoë \"Z\" \\ 🧗", avatar: photo.thumb),
                    device: DeviceID(Int64.max),
                    acknowledgedSequence: 0,
                    groups: []
                ),
                session: SessionID(1),
                at: now,
                ServerTerms(tick: 100, fixesPerSecond: 0.5)
            ),
            json: #"{"type":"welcome","session":"1","user":{"id":"7","name":"Zoë \"Z\" \\ 🧗","#
                + #""avatar":"/v1/photos/5/thumb?k=0f1e2d3c4b5a69788796a5b4c3d2e1f0"},"#
                + #""device":{"id":"9223372036854775807","ackedSeq":0},"#
                + #""at":1732060800000,"tick":100,"ping":25000,"#
                + #""limits":{"frameBytes":65536,"fixesPerSecond":0.5,"fixesPerFrame":200},"groups":[]}"#
        ),
        // The `welcome` of a light session contains no groups.
        Golden(
            frame: .welcome(
                Welcome(
                    tag: .number(1),
                    user: UserProfile(id: UserID(7), name: "Ada"),
                    device: DeviceID(31),
                    acknowledgedSequence: 40,
                    groups: nil
                ),
                session: SessionID(9001),
                at: now,
                ServerTerms()
            ),
            json: #"{"type":"welcome","id":1,"session":"9001","user":{"id":"7","name":"Ada","avatar":null},"#
                + #""device":{"id":"31","ackedSeq":40},"at":1732060800000,"tick":1000,"ping":25000,"#
                + #""limits":{"frameBytes":65536,"fixesPerSecond":10,"fixesPerFrame":200}}"#
        ),
        Golden(
            frame: .error(FrameError(.notMember, message: "You are not a member of this group.", tag: .number(7))),
            json: #"{"type":"error","id":7,"code":"not_member","#
                + #""message":"You are not a member of this group.","retry":false}"#
        ),
        Golden(
            frame: .error(FrameError(.rateLimited(retryAfter: 42_000), tag: .text("q"))),
            json:
                #"{"type":"error","id":"q","code":"rate_limited","message":"This request came too soon after your last one; wait retryAfter milliseconds.","#
                + #""retry":true,"retryAfter":42000}"#
        ),
        Golden(
            frame: .error(.badFix("at must not be more than 24 h ahead.", sequence: 41)),
            json: #"{"type":"error","code":"bad_fix","message":"at must not be more than 24 h ahead.","#
                + #""retry":false,"field":"at","seq":41}"#
        ),
        Golden(
            frame: .error(FrameError(.badRequest, message: "name is required.", field: "name")),
            json: #"{"type":"error","code":"bad_request","message":"name is required.","retry":false,"field":"name"}"#
        ),
        Golden(frame: .pong(.number(2), at: now), json: #"{"type":"pong","id":2,"at":1732060800000}"#),
        Golden(frame: .pong(nil, at: now), json: #"{"type":"pong","at":1732060800000}"#),
        Golden(
            frame: .goaway(reason: "shutdown", retryAfter: 800, jitter: 4000),
            json: #"{"type":"goaway","reason":"shutdown","retryAfter":800,"jitter":4000}"#
        ),
        Golden(frame: .ack(Acknowledgement(sequence: 42)), json: #"{"type":"ack","seq":42,"rejected":[]}"#),
        Golden(
            frame: .ack(
                Acknowledgement(
                    sequence: 41,
                    rejected: [
                        .init(sequence: 39, verdict: .outOfOrder), .init(sequence: 40, verdict: .implausible),
                    ]
                )
            ),
            json: #"{"type":"ack","seq":41,"rejected":[{"seq":39,"reason":"out_of_order"},"#
                + #"{"seq":40,"reason":"implausible"}]}"#
        ),
        Golden(
            frame: .ack(
                Acknowledgement(
                    sequence: 41,
                    rejected: [.init(sequence: 40, verdict: .late)],
                    reduced: [
                        .init(sequence: 39, dropped: [.altitude, .speed, .course, .battery, .trigger, .answer]),
                        .init(sequence: 41, dropped: .battery),
                    ]
                )
            ),
            json: #"{"type":"ack","seq":41,"rejected":[{"seq":40,"reason":"late"}],"dropped":["#
                + #"{"seq":39,"field":"altitude"},{"seq":39,"field":"speed"},{"seq":39,"field":"course"},"#
                + #"{"seq":39,"field":"battery"},{"seq":39,"field":"trigger"},{"seq":39,"field":"answer"},"#
                + #"{"seq":41,"field":"battery"}]}"#
        ),
        Golden(frame: .resend(after: 40), json: #"{"type":"resend","after":40}"#),
        Golden(
            frame: .selfMoved(position),
            json: #"{"type":"self","lat":40.7128,"lon":-74.006,"accuracy":8,"at":1732060800123,"device":"31"}"#
        ),
        Golden(
            frame: .locate(LocateID(5001), group: GroupID(81), from: UserProfile(id: UserID(7), name: "Ada")),
            json: #"{"type":"locate","request":"5001","group":"81","from":{"id":"7","name":"Ada"}}"#
        ),
        Golden(
            frame: .located(
                LocateID(5001),
                user: UserID(8),
                SelfPosition(
                    coordinate: Coordinate(latitude: -0.00000012, longitude: 179.99999996),
                    accuracy: nil,
                    at: now,
                    device: DeviceID(31)
                )
            ),
            json: #"{"type":"located","request":"5001","user":"8","lat":-0.0000001,"lon":180,"at":1732060800000}"#
        ),
        Golden(frame: .locateExpired(LocateID(5001)), json: #"{"type":"locate_expired","request":"5001"}"#),
        Golden(
            frame: .notification(
                NumberedNotification(user: alert.user, number: 12, content: alert.content),
                isLate: false
            ),
            json: #"{"type":"left_without_you","notification":12,"group":"81","groupName":"Sunday climbers","#
                + #""gathering":"6001","variant":"departed","at":1732060800000,"since":1732060620000,"late":false,"#
                + #""place":{"lat":40.7128,"lon":-74.006},"together":[{"id":"7","name":"Ada"},"#
                + #"{"id":"8","name":"Ben"}],"distance":2140,"you":{"lat":40.73,"lon":-74,"at":1732060780000}}"#
        ),
        Golden(
            frame: .live(.group(GroupID(81), name: "Sunday \"climbers\"", settings: GroupSettings(radius: 62.5))),
            json: #"{"type":"group","group":{"id":"81","name":"Sunday \"climbers\"","#
                + #""settings":{"radius":62.5,"dwell":180,"maxAbsent":1,"cooldown":1800}}}"#
        ),
        Golden(
            frame: .live(.sharing(GroupID(81), SharingTerms(.live))),
            json: #"{"type":"sharing","group":"81","mode":"live","until":null,"pictures":true}"#
        ),
        Golden(
            frame: .live(
                .sharing(
                    GroupID(81),
                    SharingTerms(
                        .approximate,
                        until: Timestamp(milliseconds: 1_732_064_400_000),
                        then: .paused,
                        pictures: false
                    )
                )
            ),
            json: #"{"type":"sharing","group":"81","mode":"approximate","until":1732064400000,"#
                + #""then":"paused","pictures":false}"#
        ),
        Golden(frame: .live(.seen([9, 12])), json: #"{"type":"seen","notifications":[9,12]}"#),
        Golden(
            frame: .gathering(status, group: GroupID(81)),
            json: #"{"type":"gathering","group":"81","gathering":"6001","state":"together","since":1732060800000,"#
                + #""place":{"lat":40.7128,"lon":-74.006,"name":"Blue Bottle"},"together":["7","8"],"absent":["9"]}"#
        ),
    ]
}
