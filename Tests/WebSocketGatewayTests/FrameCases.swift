/// Frames and the expected answers: the cases of RFC 6455 by the numbers of the Autobahn test suite, as far as they
/// apply to a server for text messages of at most 64 KiB.
struct FrameCase: Sendable, CustomStringConvertible {
    let number: String
    let frames: [[UInt8]]
    let expected: [String]
    /// The size in bytes of the pieces in which the frames are sent.
    var pieces = Int.max

    var description: String { self.number }

    init(_ number: String, _ frames: [[UInt8]], _ expected: [String], pieces: Int = .max) {
        self.number = number
        self.frames = frames
        self.expected = expected
        self.pieces = pieces
    }

    private static func text(_ text: String, isFinal: Bool = true, reserved: UInt8 = 0) -> [UInt8] {
        RawWebSocket.frame(1, Array(text.utf8), isFinal: isFinal, reserved: reserved)
    }

    private static func text(_ bytes: [UInt8], isFinal: Bool = true) -> [UInt8] {
        RawWebSocket.frame(1, bytes, isFinal: isFinal)
    }

    private static func more(_ text: String, isFinal: Bool = true) -> [UInt8] {
        RawWebSocket.frame(0, Array(text.utf8), isFinal: isFinal)
    }

    private static func more(_ bytes: [UInt8], isFinal: Bool = true) -> [UInt8] {
        RawWebSocket.frame(0, bytes, isFinal: isFinal)
    }

    private static func ping(_ payload: String) -> [UInt8] { RawWebSocket.frame(9, Array(payload.utf8)) }

    private static func close(_ code: Int, _ reason: [UInt8] = []) -> [UInt8] {
        RawWebSocket.frame(8, [UInt8(code >> 8), UInt8(code & 0xFF)] + reason)
    }

    private static func long(_ count: Int) -> [UInt8] { self.text(String(repeating: "*", count: count)) }

    private static let bye = "close 1002"
    private static let pings = (0..<10).map { "payload-\($0)" }

    static let all: [FrameCase] =
        Self.framing + Self.control + Self.reserved + Self.fragments + Self.utf8 + Self.closing

    private static let framing: [FrameCase] = [
        FrameCase("1.1.1", [text("")], ["text "]), FrameCase("1.1.2", [long(125)], ["text of 125"]),
        FrameCase("1.1.3", [long(126)], ["text of 126"]), FrameCase("1.1.4", [long(127)], ["text of 127"]),
        FrameCase("1.1.5", [long(128)], ["text of 128"]), FrameCase("1.1.6", [long(65_535)], ["text of 65535"]),
        FrameCase("1.1.7", [long(65_536)], ["text of 65536"]),
        FrameCase("1.1.8", [long(65_536)], ["text of 65536"], pieces: 997),
        FrameCase("1.2.1, binary", [RawWebSocket.frame(2, [1, 2, 3])], ["close 1003"]),
        FrameCase("5.1 of the RFC, no mask", [RawWebSocket.frame(1, [0x61], isMasked: false)], [bye]),
        FrameCase(
            "no mask, later",
            [text("a"), RawWebSocket.frame(1, [0x62], isMasked: false), text("c")],
            ["text a", bye]
        ),
        FrameCase(
            "no mask, between fragments",
            [text("a", isFinal: false), RawWebSocket.frame(0, [0x62], isMasked: false)],
            [bye]
        ),
        FrameCase("no mask, ping", [text("a"), RawWebSocket.frame(9, [0x62], isMasked: false)], ["text a", bye]),
        FrameCase("no mask, close", [RawWebSocket.frame(8, [3, 0xE8], isMasked: false)], [bye]),
        FrameCase("5.2 of the RFC, long form", [RawWebSocket.frame(1, [0x61], lengthBytes: 2)], [bye]),
        FrameCase("longest form", [RawWebSocket.frame(1, [UInt8](repeating: 0x61, count: 300), lengthBytes: 8)], [bye]),
        FrameCase("a length of 64 bits", [[0x81, 0xFF, 0x80, 0, 0, 0, 0, 0, 0, 1, 1, 2, 3, 4]], [bye]),
    ]

    private static let control: [FrameCase] = [
        FrameCase("2.1", [ping("")], ["pong"]), FrameCase("2.2", [ping("Hello")], ["pong Hello"]),
        FrameCase("2.4", [ping(String(repeating: "p", count: 125))], ["pong " + String(repeating: "p", count: 125)]),
        FrameCase("2.5", [RawWebSocket.frame(9, [UInt8](repeating: 0x61, count: 126))], [bye]),
        FrameCase(
            "2.6",
            [ping(String(repeating: "p", count: 125))],
            ["pong " + String(repeating: "p", count: 125)],
            pieces: 1
        ),
        FrameCase("2.7", [RawWebSocket.frame(10)], []), FrameCase("2.8", [RawWebSocket.frame(10, [0x61])], []),
        FrameCase("2.9", [RawWebSocket.frame(10, [0x61]), ping("Hello")], ["pong Hello"]),
        FrameCase("2.10", pings.map { ping($0) }, pings.map { "pong \($0)" }),
        FrameCase("2.11", pings.map { ping($0) }, pings.map { "pong \($0)" }, pieces: 1),
    ]

    private static let reserved: [FrameCase] =
        [
            FrameCase("3.1", [text("a", reserved: 1)], [bye]),
            FrameCase("3.2", [text("a"), text("b", reserved: 2), ping("")], ["text a", bye]),
            FrameCase("3.3", [text("a"), text("b", reserved: 3), ping("")], ["text a", bye], pieces: 7),
            FrameCase("3.4", [text("a"), text("b", reserved: 4), ping("")], ["text a", bye], pieces: 1),
            FrameCase("3.5", [RawWebSocket.frame(2, [1], reserved: 5)], [bye]),
            FrameCase("3.6", [RawWebSocket.frame(9, [1], reserved: 6)], [bye]),
            FrameCase("3.7", [RawWebSocket.frame(8, reserved: 7)], [bye]),
        ]
        + zip(1..., [3, 4, 5, 6, 7] as [UInt8]).map { FrameCase("4.1.\($0)", [RawWebSocket.frame($1)], [bye]) }
        + zip(1..., [11, 12, 13, 14, 15] as [UInt8]).map {
            FrameCase("4.2.\($0)", [text("a"), RawWebSocket.frame($1, [1])], ["text a", bye])
        }

    private static let fragments: [FrameCase] = [
        FrameCase("5.1", [RawWebSocket.frame(9, [1], isFinal: false), more("b")], [bye]),
        FrameCase("5.2", [RawWebSocket.frame(10, [1], isFinal: false), more("b")], [bye]),
        FrameCase("5.3", [text("a", isFinal: false), more("b")], ["text ab"]),
        FrameCase("5.5", [text("a", isFinal: false), more("b")], ["text ab"], pieces: 1),
        FrameCase("5.6", [text("a", isFinal: false), ping("p"), more("b")], ["pong p", "text ab"]),
        FrameCase("5.8", [text("a", isFinal: false), ping("p"), more("b")], ["pong p", "text ab"], pieces: 1),
        FrameCase("5.9", [more("a"), text("b")], [bye]),
        FrameCase("5.12", [more("a", isFinal: false), text("b")], [bye]),
        FrameCase(
            "5.15",
            [text("a", isFinal: false), more("b"), more("c", isFinal: false), text("d")],
            ["text ab", bye]
        ),
        FrameCase("5.16", [more("a", isFinal: false), text("b", isFinal: false), more("c")], [bye]),
        FrameCase("5.17", [more("a"), text("b", isFinal: false), more("c")], [bye]),
        FrameCase("5.18", [text("a", isFinal: false), text("b")], [bye]),
        FrameCase(
            "5.19",
            [
                text("a", isFinal: false), more("b", isFinal: false), ping("p"), more("c", isFinal: false),
                more("d", isFinal: false), ping("q"), more("e"),
            ],
            ["pong p", "pong q", "text abcde"]
        ),
    ]

    private static let utf8: [FrameCase] = [
        FrameCase("6.1.2", [text("", isFinal: false), more("", isFinal: false), more("")], ["text "]),
        FrameCase("6.1.3", [text("", isFinal: false), more("mid", isFinal: false), more("")], ["text mid"]),
        FrameCase("6.2.1", [text("Hello-µ@ßöäüàá-UTF-8!!")], ["text Hello-µ@ßöäüàá-UTF-8!!"]),
        FrameCase(
            "6.2.3",
            Array("ßö".utf8).enumerated().map { index, byte in
                index == 0 ? text([byte], isFinal: false) : more([byte], isFinal: index == 3)
            },
            ["text ßö"]
        ),
        FrameCase("6.3.1", [text([0xCE, 0xBA, 0xED, 0xA0, 0x80, 0x65])], ["close 1007"]),
        FrameCase(
            "6.4.1",
            [text("κόσμε", isFinal: false), more([0xF4, 0x90, 0x80, 0x80], isFinal: false)],
            ["close 1007"]
        ),
        FrameCase("6.6.7", [text("κό")], ["text κό"]), FrameCase("6.6.2", [text([0xCE, 0xBA, 0xE1])], ["close 1007"]),
        FrameCase("6.7.4", [text("\u{7FF}")], ["text \u{7FF}"]),
        FrameCase("6.11.5", [text([0xF4, 0x90, 0x80, 0x80])], ["close 1007"]),
        FrameCase("6.14.1", [text([0x80])], ["close 1007"]), FrameCase("6.18.1", [text([0xC0, 0xAF])], ["close 1007"]),
        FrameCase("6.21.1", [text([0xED, 0xA0, 0x80])], ["close 1007"]),
    ]

    private static let closing: [FrameCase] =
        [
            FrameCase("7.1.1", [text("a"), close(1000)], ["text a", "close 1000"]),
            FrameCase("7.1.2", [close(1000), close(1000)], ["close 1000"]),
            FrameCase("7.1.3", [close(1000), ping("p")], ["close 1000"]),
            FrameCase("7.1.4", [close(1000), text("a")], ["close 1000"]),
            FrameCase("7.1.5", [text("a", isFinal: false), close(1000), more("b")], ["close 1000"]),
            FrameCase("7.3.1", [RawWebSocket.frame(8)], ["close"]),
            FrameCase("7.3.2", [RawWebSocket.frame(8, [3])], [bye]),
            FrameCase("7.3.3", [close(1000)], ["close 1000"]),
            FrameCase("7.3.4", [close(1000, Array("Hello".utf8))], ["close 1000"]),
            FrameCase("7.3.5", [close(1000, [UInt8](repeating: 0x61, count: 123))], ["close 1000"]),
            FrameCase("7.3.6", [close(1000, [UInt8](repeating: 0x61, count: 124))], [bye]),
            FrameCase("7.5.1", [close(1000, [0xCE, 0xBA, 0xED, 0xA0, 0x80])], [bye]),
            FrameCase("7.13.1", [close(5000)], [bye]), FrameCase("7.13.2", [close(65_535)], [bye]),
        ]
        + zip(1..., [1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 3000, 3999, 4000, 4999]).map {
            FrameCase("7.7.\($0)", [close($1)], ["close \($1)"])
        }
        + zip(1..., [0, 999, 1004, 1005, 1006, 1015, 1016, 1100, 2000, 2999]).map {
            FrameCase("7.9.\($0)", [close($1)], [bye])
        }
}
