import MusterWire

@testable import MusterCore
@testable import MusterServer

extension GoldenFrames {
    private static let pin = Pin(
        id: PinID(601),
        person: UserProfile(id: UserID(7), name: "Ada"),
        text: "At the fair, \"till six\"",
        placeName: "near Vienna",
        coordinate: Coordinate(latitude: 48.208_174_3, longitude: 16.37),
        link: "https://example.org/fair?a=1&b=2",
        at: now,
        revision: 1_732_060_800_001
    )
    private static let bare = Pin(
        id: PinID(602),
        person: UserProfile(id: UserID(8), name: "Ben", avatar: photo.thumb),
        text: "Here",
        coordinate: Coordinate(latitude: -0.000_04, longitude: -74.006_06),
        at: now,
        revision: 1
    )
    private static let pinJSON =
        #"{"id":"601","user":{"id":"7","name":"Ada","avatar":null},"text":"At the fair, \"till six\"","#
        + #""label":"near Vienna","lat":48.2081743,"lon":16.37,"link":"https://example.org/fair?a=1&b=2","#
        + #""at":1732060800000,"revision":1732060800001}"#
    private static let bareJSON =
        #"{"id":"602","user":{"id":"8","name":"Ben","avatar":"/v1/photos/5/thumb?k=0f1e2d3c4b5a69788796a5b4c3d2e1f0"},"#
        + #""text":"Here","label":"0.0, -74.0061","lat":-0.00004,"lon":-74.00606,"link":null,"#
        + #""at":1732060800000,"revision":1}"#

    /// Requests about pins.
    static let pinRequests: [Golden<ClientFrame>] = [
        Golden(
            frame: .request(
                .number(22),
                PinPost(
                    "At the fair",
                    at: Coordinate(latitude: 40.7128, longitude: -74.006),
                    link: "https://example.org/fair",
                    isApproximate: true,
                    replacing: 1_732_060_800_000
                )
            ),
            json: #"{"type":"pin.post","id":22,"text":"At the fair","lat":40.7128,"lon":-74.006,"#
                + #""link":"https://example.org/fair","approximate":true,"replace":1732060800000}"#
        ),
        Golden(
            frame: .request(nil, PinPost("Here", at: Coordinate(latitude: 1, longitude: 2))),
            json: #"{"type":"pin.post","text":"Here","lat":1,"lon":2}"#
        ),
        Golden(frame: .request(.number(23), PinGet()), json: #"{"type":"pin.get","id":23}"#),
        Golden(frame: .request(.number(24), PinDelete()), json: #"{"type":"pin.delete","id":24}"#),
        Golden(frame: .request(nil, PinsAll(limit: 1)), json: #"{"type":"pins.all","limit":1}"#),
        Golden(
            frame: .request(.number(25), PinsAll(limit: 100, after: PinCursor(pin))),
            json: #"{"type":"pins.all","id":25,"limit":100,"after":"1732060800000.601"}"#
        ),
    ]

    /// Encoded answers to requests about pins, and the expected JSON.
    static let pinAnswers: [Golden<[UInt8]>] = [
        Golden(frame: Frame.ok(.number(22), PinAnswer(pin)).encoded, json: #"{"type":"ok","id":22,"pin":\#(pinJSON)}"#),
        Golden(
            frame: Frame.ok(.number(23), OwnPinAnswer(bare)).encoded,
            json: #"{"type":"ok","id":23,"pin":\#(bareJSON)}"#
        ),
        Golden(frame: Frame.ok(.number(23), OwnPinAnswer(nil)).encoded, json: #"{"type":"ok","id":23,"pin":null}"#),
        Golden(
            frame: Frame.ok(
                .number(25),
                PinsAnswer([bare, pin], next: PinCursor(pin), total: 14, attribution: ["GeoNames"])
            ).encoded,
            json:
                #"{"type":"ok","id":25,"pins":[\#(bareJSON),\#(pinJSON)],"next":"1732060800000.601","total":14,"attribution":["GeoNames"]}"#
        ),
        Golden(
            frame: Frame.ok(.number(25), PinsAnswer([], next: nil, total: 0, attribution: [])).encoded,
            json: #"{"type":"ok","id":25,"pins":[],"next":null,"total":0,"attribution":[]}"#
        ),
        Golden(
            frame: ServerFrame.error(FrameError.pinConflict(bare)).encoded,
            json:
                #"{"type":"error","code":"conflict","message":"You already have a pin. To replace it, send its revision in replace.","#
                + #""retry":false,"pin":\#(bareJSON)}"#
        ),
    ]
}
