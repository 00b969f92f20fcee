import MusterWire
import Testing

@testable import MusterCore
@testable import MusterServer

@Suite struct WireEncoderTests {
    private struct Inner: Encodable {
        let zebra: Int
        let apple: [String]
        let none: String?
    }

    private struct Outer: Encodable {
        let second: Inner
        let first: Bool
        @Nullable var missing: Int?
        @Degrees var lat: Double
        let distance: RoundedNumber
        let empty: [Int]
        let nothing: NoAnswer
        let byName: [String: Int]
    }

    private static func text(_ value: some Encodable) -> String {
        String(decoding: WireEncoder.encode(value), as: UTF8.self)
    }

    @Test("fields come in the order of their declaration, absent ones not at all, and null where it is promised")
    func order() {
        let value = Outer(
            second: Inner(zebra: -1, apple: ["a\"", "\n"], none: nil),
            first: true,
            missing: nil,
            lat: 48.123_456_789,
            distance: RoundedNumber(312.04, decimals: 1),
            empty: [],
            nothing: NoAnswer(),
            byName: ["one": 1]
        )
        #expect(
            Self.text(value)
                == #"{"second":{"zebra":-1,"apple":["a\"","\n"]},"first":true,"missing":null,"lat":48.1234568,"#
                + #""distance":312,"empty":[],"nothing":{},"byName":{"one":1}}"#
        )
    }

    @Test(
        "a number is written in as few digits as bring it back, and null where JSON has none",
        arguments: [
            (0.1 + 0.2, "0.30000000000000004"), (100, "100"), (-0.0, "0"), (1e300, "1e+300"), (.infinity, "null"),
            (.nan, "null"),
        ] as [(Double, String)]
    )
    func numbers(number: Double, text: String) {
        #expect(Self.text([number]) == "[\(text)]")
    }

    @Test("a frame is its type, the request's mark, and the fields of a value")
    func frame() {
        #expect(
            String(decoding: Frame("x", .text("é"), ["a": 1]).encoded, as: UTF8.self) == #"{"type":"x","id":"é","a":1}"#
        )
        #expect(String(decoding: Frame("x", nil, NoAnswer()).encoded, as: UTF8.self) == #"{"type":"x"}"#)
    }
}
