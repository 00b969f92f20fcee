import Testing

@testable import MusterCore
@testable import MusterServer
@testable import MusterWire

/// A frame that must be refused, and the expected error.
struct Malformed: Sendable, CustomTestStringConvertible {
    let json: String
    let code: ErrorCode
    let field: String?
    let tag: RequestTag?

    init(_ json: String, _ code: ErrorCode, _ field: String? = nil, tag: RequestTag? = nil) {
        self.json = json
        self.code = code
        self.field = field
        self.tag = tag
    }

    var testDescription: String { String(self.json.prefix(100)) }
}

@Suite struct MalformedFrameTests {
    private static let nested = String(repeating: "[", count: 2000) + String(repeating: "]", count: 2000)
    private static let device = #""device":{"key":"k","kind":"phone"}"#

    static let notJSON: [Malformed] = [
        Malformed("", .badJSON),
        Malformed(" ", .badJSON),
        Malformed("nope", .badJSON),
        Malformed(#"{"type":"ping""#, .badJSON),
        Malformed(#"{"type":"ping"}}"#, .badJSON),
        Malformed(#"{"type":"ping"} {"type":"ping"}"#, .badJSON),
        Malformed(#"{"type":"ping",}"#, .badJSON),
        Malformed(#"{type:"ping"}"#, .badJSON),
        Malformed(#"{'type':'ping'}"#, .badJSON),
        Malformed(#"{"type":"ping","x":tru}"#, .badJSON),
        Malformed(#"{"type":"ping","x":NaN}"#, .badJSON),
        Malformed(#"{"type":"ping","x":Infinity}"#, .badJSON),
        Malformed(#"{"type":"ping","x":01}"#, .badJSON),
        Malformed(#"{"type":"ping","x":1.}"#, .badJSON),
        Malformed(#"{"type":"ping","x":.5}"#, .badJSON),
        Malformed(#"{"type":"ping","x":+1}"#, .badJSON),
        Malformed(#"{"type":"ping","x":1e}"#, .badJSON),
        Malformed(#"{"type":"ping","x":-}"#, .badJSON),
        Malformed(#"{"type":"ping","x":1eNaN}"#, .badJSON),
        Malformed(#"{"type":"ping","x":01e999}"#, .badJSON),
        Malformed(#"{"type":"ping","x":"\ud83"}"#, .badJSON),
        Malformed(#"{"type":"ping","x":"\ud83e"#, .badJSON),
        Malformed(#"{"type":"ping","x":"\x"}"#, .badJSON),
        Malformed("{\"type\":\"ping\",\"x\":\"\n\"}", .badJSON),
        Malformed("{\"type\":\"ping\",\"x\":\"\u{0}\"}", .badJSON),
        Malformed("\u{feff}{\"type\":\"ping\"}", .badJSON),
        Malformed(#"{"type":"ping","x":\#(nested)}"#, .badJSON),
        Malformed(nested, .badJSON),
    ]

    static let wrongShape: [Malformed] = [
        Malformed("[]", .badRequest, "type"),
        Malformed("7", .badRequest, "type"),
        Malformed(#""ping""#, .badRequest, "type"),
        Malformed("null", .badRequest, "type"),
        Malformed("{}", .badRequest, "type"),
        Malformed(#"{"id":3}"#, .badRequest, "type", tag: .number(3)),
        Malformed(#"{"type":null}"#, .badRequest, "type"),
        Malformed(#"{"type":1}"#, .badRequest, "type"),
        Malformed(#"{"\u0000type":"ping"}"#, .badRequest, "type"),
        Malformed(#"{"type":"nope","id":4}"#, .unknownType, "type", tag: .number(4)),
        Malformed(#"{"type":""}"#, .unknownType, "type"),
        Malformed(#"{"type":"Ping"}"#, .unknownType, "type"),
        Malformed(#"{"type":"ping\u0000"}"#, .unknownType, "type"),
        Malformed(#"{"type":"location\u0000"}"#, .unknownType, "type"),
        Malformed(#"{"type":"ping","id":1.5}"#, .badRequest, "id"),
        Malformed(#"{"type":"ping","id":true}"#, .badRequest, "id"),
        Malformed(#"{"type":"ping","id":[1]}"#, .badRequest, "id"),
        Malformed(#"{"type":"ping","id":9223372036854775808}"#, .badRequest, "id"),
        Malformed(#"{"type":"ping","id":1e999}"#, .badRequest, "id"),
        Malformed(#"{"type":"ping","id":"a\u0000"}"#, .badRequest, "id"),
        Malformed(#"{"type":"ping","id":"\#(String(repeating: "é", count: 65))"}"#, .badRequest, "id"),
    ]

    static let wrongHello: [Malformed] = [
        Malformed(#"{"type":"hello","id":1,\#(device)}"#, .badRequest, "token", tag: .number(1)),
        Malformed(#"{"type":"hello","token":7,\#(device)}"#, .badRequest, "token"),
        Malformed(#"{"type":"hello","token":"",\#(device)}"#, .badRequest, "token"),
        Malformed(#"{"type":"hello","token":"a\u0000b",\#(device)}"#, .badRequest, "token"),
        Malformed(
            #"{"type":"hello","token":"\#(String(repeating: "t", count: 513))",\#(device)}"#,
            .badRequest,
            "token"
        ),
        Malformed(#"{"type":"hello","token":"t"}"#, .badRequest, "device"),
        Malformed(#"{"type":"hello","token":"t","device":"phone"}"#, .badRequest, "device"),
        Malformed(#"{"type":"hello","token":"t","device":{"kind":"phone"}}"#, .badRequest, "device.key"),
        Malformed(#"{"type":"hello","token":"t","device":{"key":"","kind":"phone"}}"#, .badRequest, "device.key"),
        Malformed(
            #"{"type":"hello","token":"t","device":{"key":"\#(String(repeating: "k", count: 65))","kind":"phone"}}"#,
            .badRequest,
            "device.key"
        ),
        Malformed(#"{"type":"hello","token":"t","device":{"key":"k"}}"#, .badRequest, "device.kind"),
        Malformed(#"{"type":"hello","token":"t","device":{"key":"k","kind":"toaster"}}"#, .badRequest, "device.kind"),
        Malformed(
            #"{"type":"hello","token":"t","device":{"key":"k","kind":"phone","name":"a\u0007"}}"#,
            .badRequest,
            "device.name"
        ),
        Malformed(#"{"type":"hello","token":"t",\#(device),"resume":[]}"#, .badRequest, "resume"),
        Malformed(#"{"type":"hello","token":"t",\#(device),"resume":{"groups":[]}}"#, .badRequest, "resume.groups"),
        Malformed(
            #"{"type":"hello","token":"t",\#(device),"resume":{"groups":{"x":{"epoch":"k","version":1}}}}"#,
            .badRequest,
            "resume.groups"
        ),
        Malformed(
            #"{"type":"hello","token":"t",\#(device),"resume":{"groups":{"81":17}}}"#,
            .badRequest,
            "resume.groups"
        ),
        Malformed(
            #"{"type":"hello","token":"t",\#(device),"resume":{"groups":{"81":{"epoch":"k","version":-1}}}}"#,
            .badRequest,
            "resume.groups.81.version"
        ),
        Malformed(
            #"{"type":"hello","token":"t",\#(device),"resume":{"groups":{"81":{"version":1}}}}"#,
            .badRequest,
            "resume.groups.81.epoch"
        ),
        Malformed(
            #"{"type":"hello","token":"t",\#(device),"resume":{"notification":"12"}}"#,
            .badRequest,
            "resume.notification"
        ),
    ]

    static let wrongRequest: [Malformed] = [
        Malformed(#"{"type":"state"}"#, .badRequest, "state"),
        Malformed(#"{"type":"state","state":"asleep"}"#, .badRequest, "state"),
        Malformed(#"{"type":"locations"}"#, .badRequest, "fixes"),
        Malformed(#"{"type":"locations","fixes":{"seq":1}}"#, .badRequest, "fixes"),
        Malformed(
            #"{"type":"locations","id":"b","fixes":[\#(String(repeating: "0,", count: 200))0]}"#,
            .tooLarge,
            "fixes",
            tag: .text("b")
        ),
        Malformed(#"{"type":"group.create","id":1}"#, .badRequest, "name", tag: .number(1)),
        Malformed(#"{"type":"group.create","name":7}"#, .badRequest, "name"),
        Malformed(#"{"type":"group.create","name":" \u2003 "}"#, .badRequest, "name"),
        Malformed(#"{"type":"group.create","name":"a\nb"}"#, .badRequest, "name"),
        Malformed(#"{"type":"group.create","name":"a\u0000b"}"#, .badRequest, "name"),
        Malformed(#"{"type":"group.create","name":"a\u0085b"}"#, .badRequest, "name"),
        Malformed(#"{"type":"group.create","name":"a\u2028b"}"#, .badRequest, "name"),
        Malformed(#"{"type":"group.create","name":"n","settings":[]}"#, .badRequest, "settings"),
        Malformed(#"{"type":"group.create","name":"n","settings":{"radius":19.9}}"#, .badRequest, "settings.radius"),
        Malformed(#"{"type":"group.create","name":"n","settings":{"radius":2001}}"#, .badRequest, "settings.radius"),
        Malformed(#"{"type":"group.create","name":"n","settings":{"radius":"50"}}"#, .badRequest, "settings.radius"),
        Malformed(#"{"type":"group.create","name":"n","settings":{"dwell":3601}}"#, .badRequest, "settings.dwell"),
        Malformed(#"{"type":"group.create","name":"n","settings":{"dwell":-1}}"#, .badRequest, "settings.dwell"),
        Malformed(#"{"type":"group.create","name":"n","settings":{"dwell":0.5}}"#, .badRequest, "settings.dwell"),
        Malformed(
            #"{"type":"group.update","group":"1","settings":{"maxAbsent":0}}"#,
            .badRequest,
            "settings.maxAbsent"
        ),
        Malformed(
            #"{"type":"group.update","group":"1","settings":{"cooldown":86401}}"#,
            .badRequest,
            "settings.cooldown"
        ),
        Malformed(#"{"type":"group.update","group":"1","name":""}"#, .badRequest, "name"),
        Malformed(#"{"type":"group.update","name":"n"}"#, .badRequest, "group"),
        Malformed(#"{"type":"group.leave","group":81}"#, .badRequest, "group"),
        Malformed(#"{"type":"group.leave","group":"081"}"#, .badRequest, "group"),
        Malformed(#"{"type":"group.leave","group":"-81"}"#, .badRequest, "group"),
        Malformed(#"{"type":"group.leave","group":"+81"}"#, .badRequest, "group"),
        Malformed(#"{"type":"group.leave","group":"8 1"}"#, .badRequest, "group"),
        Malformed(#"{"type":"group.leave","group":"٨١"}"#, .badRequest, "group"),
        Malformed(#"{"type":"group.leave","group":"81\u0000"}"#, .badRequest, "group"),
        Malformed(#"{"type":"group.leave","group":"9223372036854775808"}"#, .badRequest, "group"),
        Malformed(#"{"type":"group.leave","group":"0"}"#, .badRequest, "group"),
        Malformed(#"{"type":"group.delete"}"#, .badRequest, "group"),
        Malformed(#"{"type":"group.remove","group":"81"}"#, .badRequest, "user"),
        Malformed(#"{"type":"group.invite","group":"81","expiresIn":0}"#, .badRequest, "expiresIn"),
        Malformed(#"{"type":"group.invite","group":"81","expiresIn":1e300}"#, .badRequest, "expiresIn"),
        Malformed(#"{"type":"group.invite","group":"81","uses":"one"}"#, .badRequest, "uses"),
        Malformed(#"{"type":"group.join"}"#, .badRequest, "code"),
        Malformed(#"{"type":"group.join","code":""}"#, .badRequest, "code"),
        Malformed(#"{"type":"group.revoke","code":"a\u0000"}"#, .badRequest, "code"),
        Malformed(#"{"type":"sharing.set"}"#, .badRequest, "mode"),
        Malformed(#"{"type":"sharing.set","mode":"Live"}"#, .badRequest, "mode"),
        Malformed(#"{"type":"sharing.set","mode":"live","group":7}"#, .badRequest, "group"),
        Malformed(#"{"type":"sharing.set","mode":"live","until":-1}"#, .badRequest, "until"),
        Malformed(#"{"type":"sharing.set","mode":"live","then":"paused"}"#, .badRequest, "then"),
        Malformed(#"{"type":"sharing.set","mode":"live","until":1732064400000,"then":"never"}"#, .badRequest, "then"),
        Malformed(#"{"type":"sharing.set","pictures":"no"}"#, .badRequest, "pictures"),
        Malformed(#"{"type":"sharing.set","pictures":false,"until":1732064400000}"#, .badRequest, "until"),
        Malformed(#"{"type":"sharing.set","mode":"live","until":253402300800000}"#, .badRequest, "until"),
        Malformed(#"{"type":"locate","id":9,"group":"81"}"#, .badRequest, "user", tag: .number(9)),
        Malformed(#"{"type":"seen"}"#, .badRequest, "upTo"),
        Malformed(#"{"type":"seen","upTo":-1}"#, .badRequest, "upTo"),
        Malformed(#"{"type":"seen","upTo":99999999999999999999}"#, .badRequest, "upTo"),
    ]

    static let wrongSpot: [Malformed] = [
        Malformed(#"{"type":"spot.add","id":1,"lon":2,"comment":"c"}"#, .badRequest, "lat", tag: .number(1)),
        Malformed(#"{"type":"spot.add","lat":90.1,"lon":2,"comment":"c"}"#, .badRequest, "lat"),
        Malformed(#"{"type":"spot.add","lat":"1","lon":2,"comment":"c"}"#, .badRequest, "lat"),
        Malformed(#"{"type":"spot.add","lat":1,"comment":"c"}"#, .badRequest, "lon"),
        Malformed(#"{"type":"spot.add","lat":1,"lon":-180.1,"comment":"c"}"#, .badRequest, "lon"),
        Malformed(#"{"type":"spot.add","lat":1,"lon":1e999,"comment":"c"}"#, .badRequest, "lon"),
        Malformed(#"{"type":"spot.add","lat":1,"lon":2}"#, .badRequest, "comment"),
        Malformed(#"{"type":"spot.add","lat":1,"lon":2,"comment":" \n "}"#, .badRequest, "comment"),
        Malformed(#"{"type":"spot.add","lat":1,"lon":2,"comment":"a\u0000b"}"#, .badRequest, "comment"),
        Malformed(#"{"type":"spot.add","lat":1,"lon":2,"comment":"a\u0007b"}"#, .badRequest, "comment"),
        Malformed(
            #"{"type":"spot.add","lat":1,"lon":2,"comment":"\#(String(repeating: "é", count: 501))"}"#,
            .badRequest,
            "comment"
        ),
        Malformed(#"{"type":"spot.add","lat":1,"lon":2,"comment":"c","category":""}"#, .badRequest, "category"),
        Malformed(#"{"type":"spot.add","lat":1,"lon":2,"comment":"c","category":"a\nb"}"#, .badRequest, "category"),
        Malformed(
            #"{"type":"spot.add","lat":1,"lon":2,"comment":"c","category":"\#(String(repeating: "c", count: 41))"}"#,
            .badRequest,
            "category"
        ),
        Malformed(#"{"type":"spot.add","lat":1,"lon":2,"comment":"c","photo":9}"#, .badRequest, "photo"),
        Malformed(#"{"type":"spot.vote","vote":"like"}"#, .badRequest, "spot"),
        Malformed(#"{"type":"spot.vote","spot":501,"vote":"like"}"#, .badRequest, "spot"),
        Malformed(#"{"type":"spot.vote","spot":"501"}"#, .badRequest, "vote"),
        Malformed(#"{"type":"spot.vote","spot":"501","vote":"love"}"#, .badRequest, "vote"),
        Malformed(#"{"type":"spot.delete"}"#, .badRequest, "spot"),
        Malformed(#"{"type":"spots.nearby","lat":1,"lon":2,"limit":5}"#, .badRequest, "radius"),
        Malformed(#"{"type":"spots.nearby","lat":1,"lon":2,"radius":50001,"limit":5}"#, .badRequest, "radius"),
        Malformed(#"{"type":"spots.nearby","lat":1,"lon":2,"radius":-1,"limit":5}"#, .badRequest, "radius"),
        Malformed(#"{"type":"spots.nearby","lat":1,"lon":2,"radius":5}"#, .badRequest, "limit"),
        Malformed(#"{"type":"spots.nearby","lat":1,"lon":2,"radius":5,"limit":101}"#, .badRequest, "limit"),
        Malformed(#"{"type":"spots.nearby","lat":1,"lon":2,"radius":5,"limit":0}"#, .badRequest, "limit"),
        Malformed(#"{"type":"spots.nearby","lon":2,"radius":5,"limit":1}"#, .badRequest, "lat"),
        Malformed(#"{"type":"spots.all"}"#, .badRequest, "limit"),
        Malformed(#"{"type":"spots.all","limit":2.5}"#, .badRequest, "limit"),
        Malformed(#"{"type":"spots.all","limit":2,"after":"newest"}"#, .badRequest, "after"),
        Malformed(#"{"type":"geocode"}"#, .badRequest, "q"),
        Malformed(#"{"type":"geocode","q":""}"#, .badRequest, "q"),
        Malformed(#"{"type":"geocode","q":7}"#, .badRequest, "q"),
        Malformed(#"{"type":"geocode","q":"x","lat":1}"#, .badRequest, "lon"),
        Malformed(#"{"type":"geocode","q":"x","lat":91,"lon":0}"#, .badRequest, "lat"),
        Malformed(#"{"type":"geocode","q":"x","limit":11}"#, .badRequest, "limit"),
        Malformed(#"{"type":"geocode","q":"x","complete":1}"#, .badRequest, "complete"),
        Malformed(#"{"type":"place.get"}"#, .badRequest, "place"),
        Malformed(#"{"type":"place.get","place":""}"#, .badRequest, "place"),
    ]
    /// Malformed requests about pins.
    static let wrongPin: [Malformed] = [
        Malformed(#"{"type":"pin.post","id":1,"lat":1,"lon":2}"#, .badRequest, "text", tag: .number(1)),
        Malformed(#"{"type":"pin.post","lat":1,"lon":2,"text":""}"#, .badRequest, "text"),
        Malformed(#"{"type":"pin.post","lat":1,"lon":2,"text":" \n "}"#, .badRequest, "text"),
        Malformed(#"{"type":"pin.post","lat":1,"lon":2,"text":"a\nb"}"#, .badRequest, "text"),
        Malformed(#"{"type":"pin.post","lat":1,"lon":2,"text":"\u200b"}"#, .badRequest, "text"),
        Malformed(
            #"{"type":"pin.post","lat":1,"lon":2,"text":"\#(String(repeating: "é", count: 201))"}"#,
            .badRequest,
            "text"
        ),
        Malformed(#"{"type":"pin.post","lat":91,"lon":2,"text":"a"}"#, .badRequest, "lat"),
        Malformed(#"{"type":"pin.post","lat":1,"lon":1e999,"text":"a"}"#, .badRequest, "lon"),
        Malformed(#"{"type":"pin.post","lat":1,"lon":2,"text":"a","link":""}"#, .badRequest, "link"),
        Malformed(#"{"type":"pin.post","lat":1,"lon":2,"text":"a","link":7}"#, .badRequest, "link"),
        Malformed(#"{"type":"pin.post","lat":1,"lon":2,"text":"a","link":"javascript:alert(1)"}"#, .badRequest, "link"),
        Malformed(#"{"type":"pin.post","lat":1,"lon":2,"text":"a","link":"http://user@host/"}"#, .badRequest, "link"),
        Malformed(#"{"type":"pin.post","lat":1,"lon":2,"text":"a","link":"http://a/\u0007"}"#, .badRequest, "link"),
        Malformed(#"{"type":"pin.post","lat":1,"lon":2,"text":"a","approximate":"yes"}"#, .badRequest, "approximate"),
        Malformed(#"{"type":"pin.post","lat":1,"lon":2,"text":"a","replace":"1"}"#, .badRequest, "replace"),
        Malformed(#"{"type":"pin.post","lat":1,"lon":2,"text":"a","replace":-1}"#, .badRequest, "replace"),
        Malformed(#"{"type":"pins.all"}"#, .badRequest, "limit"),
        Malformed(#"{"type":"pins.all","limit":101}"#, .badRequest, "limit"),
        Malformed(#"{"type":"pins.all","limit":2,"after":"501"}"#, .badRequest, "after"),
        Malformed(#"{"type":"pins.all","limit":2,"after":"1.2.3"}"#, .badRequest, "after"),
        Malformed(#"{"type":"pins.all","limit":2,"after":"-1.2"}"#, .badRequest, "after"),
        Malformed(#"{"type":"pins.all","limit":2,"after":".501"}"#, .badRequest, "after"),
    ]

    @Test(
        "is refused by code, names the field and keeps the request's id",
        arguments: Self.notJSON + Self.wrongShape + Self.wrongHello + Self.wrongRequest + Self.wrongSpot
            + Self.wrongPin
    )
    func refusal(malformed: Malformed) {
        guard case .failure(let error) = decode(malformed.json) else {
            Issue.record("this frame passed")
            return
        }
        #expect(error.code == malformed.code)
        #expect(error.field == malformed.field)
        #expect(error.tag == malformed.tag)
        #expect(error.sequence == nil)
        if let field = malformed.field { #expect(error.message.contains(field)) }
    }

    @Test(
        "bytes that are not UTF-8 are refused",
        arguments: [[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xe2, 0x82]]
    )
    func invalidText(bytes: [UInt8]) {
        let frame = Array(#"{"type":"ping","x":""#.utf8) + bytes + Array(#""}"#.utf8)
        guard case .failure(let error) = FrameDecoder(requests: GoldenFrames.requests).decode(copying: frame) else {
            Issue.record("these bytes passed")
            return
        }
        #expect(error.code == .badJSON)
    }

    @Test("a decoder reads on after any bad frame")
    func recovery() {
        let decoder = FrameDecoder(requests: GoldenFrames.requests)
        for malformed in Self.notJSON + Self.wrongShape {
            _ = decoder.decode(copying: Array(malformed.json.utf8))
            #expect(decoder.decode(copying: Array(#"{"type":"ping","id":1}"#.utf8)) == .frame(.ping(.number(1))))
        }
    }
}
