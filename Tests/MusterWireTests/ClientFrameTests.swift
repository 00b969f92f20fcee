import Testing

@testable import MusterCore
@testable import MusterServer
@testable import MusterWire

@Suite struct ClientFrameTests {
    @Test("the server reads them as the same values", arguments: GoldenFrames.client)
    func decoding(golden: Golden<ClientFrame>) {
        #expect(decode(golden.json) == .frame(golden.frame))
    }

    @Test("what follows the end of a frame in its buffer does not matter", arguments: GoldenFrames.client)
    func padding(golden: Golden<ClientFrame>) {
        let decoder = FrameDecoder(requests: GoldenFrames.requests)
        for filler in [UInt8(0), UInt8(ascii: "}"), UInt8(ascii: "9"), UInt8(ascii: "\""), 0xff] {
            let padded = Array(golden.json.utf8) + Array(repeating: filler, count: FrameDecoder.padding)
            let outcome = padded.withUnsafeBytes { buffer in
                decoder.decode(UnsafeRawBufferPointer(rebasing: buffer[..<golden.json.utf8.count]))
            }
            #expect(outcome == .frame(golden.frame))
        }
    }

    @Test(
        "what a reader must put up with, it puts up with",
        arguments: [
            (#" { "type" : "ping" , "id" : 7 } "#, ClientFrame.ping(.number(7))),
            (#"{"id":7,"future":{"a":[1,{"b":null}]},"type":"ping"}"#, .ping(.number(7))),
            (#"{"type":"ping","id":null}"#, .ping(nil)),
            (#"{"type":"ping","id":7.0}"#, .ping(.number(7))),
            (#"{"type":"ping","id":-9223372036854775808}"#, .ping(.number(.min))),
            (#"{"type":"ping","id":""}"#, .ping(.text(""))),
            (#"{"type":"ping","id":1,"id":2}"#, .ping(.number(1))),
            (#"{"type":"ping","type":"nonsense"}"#, .ping(nil)),
            (#"{"\u0074ype":"p\u0069ng","extra":1e999,"more":-123456789012345678901234567890}"#, .ping(nil)),
            (#"{"type":"seen","upTo":1.2e1}"#, .seen(nil, .upTo(12))),
            (#"{"type":"seen","notifications":[12.0,9],"upTo":null}"#, .seen(nil, .numbers([12, 9]))),
            (
                #"{"type":"group.create","name":"  \u00a0Zo\u00eb \ud83e\uddd7\n ","settings":null}"#,
                .request(nil, GroupCreate(name: "Zoë 🧗"))
            ),
            (
                #"{"type":"group.create","id":"\udd17","name":"a\ud83d","\ud83d":1e999}"#,
                .request(.text("\u{FFFD}"), GroupCreate(name: "a\u{FFFD}"))
            ),
            (
                #"{"type":"sharing.set","mode":"live","group":null,"until":null}"#,
                .request(nil, SharingSet(.live))
            ),
            (
                #"{"type":"spot.add","lat":1,"lon":2,"comment":" \n a\nb ","category":null,"photo":null}"#,
                .request(nil, SpotAdd(at: Coordinate(latitude: 1, longitude: 2), comment: "a\nb"))
            ),
            (
                #"{"type":"spot.add","lat":1,"lon":2,"comment":"a","photo":"9"}"#,
                .request(
                    nil,
                    SpotAdd(at: Coordinate(latitude: 1, longitude: 2), comment: "a", photo: PhotoID(9))
                )
            ),
            (
                #"{"type":"hello","token":"t","device":{"key":"k","name":"","kind":"watch"},"resume":{}}"#,
                .hello(Hello(token: "t", device: .init(key: "k", kind: .watch)))
            ),
        ]
    )
    func leniency(json: String, frame: ClientFrame) {
        #expect(decode(json) == .frame(frame))
    }

    @Test("a name of 80 characters is counted in Unicode scalars, not in bytes")
    func nameLength() {
        let name = String(repeating: "é", count: 79) + "🧗"
        #expect(
            decode(#"{"type":"group.create","name":"\#(name)"}"#)
                == .frame(.request(nil, GroupCreate(name: name)))
        )
        guard case .failure(let error) = decode(#"{"type":"group.create","name":"\#(name)é"}"#) else {
            Issue.record("81 characters passed")
            return
        }
        #expect(error.field == "name")
    }

    @Test("a patch changes what it names and nothing else")
    func patch() {
        let old = GroupSettings(radius: 50, dwell: 10, maxAbsent: 2, cooldown: 5)
        let new = GroupSettingsPatch(dwell: 0, cooldown: 9).applied(to: old)
        #expect(new == GroupSettings(radius: 50, dwell: 0, maxAbsent: 2, cooldown: 9))
    }
}

/// Decodes a frame with a fresh decoder.
func decode(_ json: String) -> FrameDecoder.Outcome {
    FrameDecoder(requests: GoldenFrames.requests).decode(copying: Array(json.utf8))
}
