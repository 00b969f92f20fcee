import MusterWire

@testable import MusterCore
@testable import MusterServer

extension GoldenFrames {
    /// Encoded answers to requests, and the expected JSON.
    static let answers = generalAnswers + pinAnswers + planAnswers + eventAnswers + chatAnswers

    private static let generalAnswers: [Golden<[UInt8]>] = [
        Golden(frame: Frame.ok(.number(-10), NoAnswer()).encoded, json: #"{"type":"ok","id":-10}"#),
        Golden(
            frame: Frame.ok(.text("a\nb\u{1}"), GroupAnswer(climbers)).encoded,
            json: #"{"type":"ok","id":"a\nb\u0001","group":{"id":"81","name":"Sunday climbers","role":"owner","#
                + #""settings":{"radius":100,"dwell":180,"maxAbsent":1,"cooldown":1800}}}"#
        ),
        Golden(frame: Frame.ok(.number(5), GroupsAnswer([])).encoded, json: #"{"type":"ok","id":5,"groups":[]}"#),
        Golden(
            frame: Frame.ok(
                .number(5),
                GroupsAnswer([
                    climbers,
                    Welcome.Group(
                        id: GroupID(82),
                        name: "Divers",
                        role: .member,
                        settings: GroupSettings(radius: 62.5, dwell: 0, maxAbsent: 10, cooldown: 86_400)
                    ),
                ])
            ).encoded,
            json: #"{"type":"ok","id":5,"groups":[{"id":"81","name":"Sunday climbers","role":"owner","#
                + #""settings":{"radius":100,"dwell":180,"maxAbsent":1,"cooldown":1800}},"#
                + #"{"id":"82","name":"Divers","role":"member","#
                + #""settings":{"radius":62.5,"dwell":0,"maxAbsent":10,"cooldown":86400}}]}"#
        ),
        Golden(
            frame: Frame.ok(
                .number(7),
                InviteAnswer(
                    code: "h7Kp2mQx",
                    url: "https://muster.example/#/join/h7Kp2mQx",
                    expiresAt: Timestamp(milliseconds: 1_732_665_600_000),
                    uses: nil
                )
            ).encoded,
            json: #"{"type":"ok","id":7,"code":"h7Kp2mQx","url":"https://muster.example/#/join/h7Kp2mQx","#
                + #""expiresAt":1732665600000,"uses":null}"#
        ),
        Golden(
            frame: Frame.ok(
                .number(7),
                InviteAnswer(code: "x", url: "https://a.example/#/join/x", expiresAt: now, uses: 3)
            ).encoded,
            json: #"{"type":"ok","id":7,"code":"x","url":"https://a.example/#/join/x","#
                + #""expiresAt":1732060800000,"uses":3}"#
        ),
        Golden(
            frame: Frame.ok(
                .number(15),
                LocateAnswer(
                    request: LocateID(5001),
                    devices: 2,
                    expiresAt: Timestamp(milliseconds: 1_732_060_860_000)
                )
            ).encoded,
            json: #"{"type":"ok","id":15,"request":"5001","devices":2,"expiresAt":1732060860000}"#
        ),
        Golden(
            frame: Frame.ok(.number(17), SpotAnswer(spot)).encoded,
            json: #"{"type":"ok","id":17,"spot":\#(spotJSON)}}"#
        ),
        Golden(
            frame: Frame.ok(
                .number(19),
                SpotsNearbyAnswer([NearbySpot(spot: cafe, distance: 0), NearbySpot(spot: spot, distance: 312.04)])
            ).encoded,
            json: #"{"type":"ok","id":19,"spots":[\#(cafeJSON),"distance":0},\#(spotJSON),"distance":312}]}"#
        ),
        Golden(frame: Frame.ok(.number(19), SpotsNearbyAnswer([])).encoded, json: #"{"type":"ok","id":19,"spots":[]}"#),
        Golden(
            frame: Frame.ok(.number(20), SpotsAnswer([cafe, spot], next: SpotID(501))).encoded,
            json: #"{"type":"ok","id":20,"spots":[\#(cafeJSON)},\#(spotJSON)}],"next":"501"}"#
        ),
        Golden(
            frame: Frame.ok(.number(20), SpotsAnswer([], next: nil)).encoded,
            json: #"{"type":"ok","id":20,"spots":[],"next":null}"#
        ),
        Golden(
            frame: Frame.ok(
                .number(30),
                GeocodeResults([PlaceView(paris, score: 1.22839, match: .exact)], attribution: ["GeoNames"])
            ).encoded,
            json: #"{"type":"ok","id":30,"places":[\#(parisJSON),"score":1.2284,"match":"exact"}],"#
                + #""attribution":["GeoNames"],"failed":[]}"#
        ),
        Golden(
            frame: Frame.ok(.number(32), PlaceAnswer(paris)).encoded,
            json: #"{"type":"ok","id":32,"place":\#(parisJSON)}}"#
        ),
        Golden(
            frame: Frame.ok(
                .number(33),
                PositionGuessAnswer(at: Coordinate(latitude: 60.2, longitude: 24.9), accuracy: 25_000)
            ).encoded,
            json: #"{"type":"ok","id":33,"lat":60.2,"lon":24.9,"accuracy":25000,"source":"ip"}"#
        ),
    ]
}
