import Testing

@testable import MusterClient
@testable import MusterCore
@testable import MusterWire

/// The frames of simulated phones, byte for byte.
@Suite struct ClientFramesTests {
    static let rosters = [
        GroupID(90): RosterVersion(epoch: "a", version: 0), GroupID(81): RosterVersion(epoch: "k3f", version: 17),
    ]
    static let phone = Hello.Device(key: "p", name: "Ada's", kind: .phone)

    @Test(
        "hello",
        arguments: [
            (
                Hello(tag: .number(1), token: "t", device: phone),
                #"{"type":"hello","id":1,"token":"t","device":{"key":"p","name":"Ada's","kind":"phone"}}"#
            ),
            (
                Hello(token: "t", device: .init(key: "p", kind: .browser), resume: rosters, knownNotification: 12),
                #"{"type":"hello","token":"t","device":{"key":"p","kind":"browser"},"resume":{"groups":{"#
                    + #""81":{"epoch":"k3f","version":17},"90":{"epoch":"a","version":0}},"notification":12}}"#
            ),
            (
                Hello(
                    token: "t",
                    device: .init(key: "p", kind: .phone),
                    rooms: [RoomID(5): RoomPosition(epoch: "e", version: 3, read: 2)]
                ),
                #"{"type":"hello","token":"t","device":{"key":"p","kind":"phone"},"resume":{"groups":{},"#
                    + #""notification":0,"rooms":{"5":{"epoch":"e","version":3,"read":2}}}}"#
            ),
        ]
    )
    func hello(hello: Hello, json: String) { #expect(String(decoding: hello.frame, as: UTF8.self) == json) }

    @Test("a fix is read as the same value")
    func fix() {
        let fix = Fix(
            sequence: 41,
            at: Timestamp(milliseconds: 1_732_060_800_123),
            coordinate: Coordinate(latitude: 40.7128, longitude: -74.006),
            accuracy: 8,
            speed: 1.4,
            course: 270,
            battery: 0.81,
            trigger: .move
        )
        #expect(FrameDecoder().decode(copying: fix.frame) == .frame(.location(nil, fix)))
    }
}
