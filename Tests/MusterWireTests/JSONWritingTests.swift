import Testing

@testable import MusterServer
@testable import MusterWire

@Suite struct JSONWritingTests {
    @Test(
        "a number is written in as few digits as bring it back, and never as -0",
        arguments: [
            (0.0, "0"), (-0.0, "0"), (1, "1"), (-1, "-1"), (0.1, "0.1"), (1.4, "1.4"), (1e14, "100000000000000"),
            (1e300, "1e+300"), (.leastNonzeroMagnitude, "5e-324"), (.infinity, "null"), (-.infinity, "null"),
            (.nan, "null"),
        ] as [(Double, String)]
    )
    func doubles(number: Double, text: String) {
        #expect(written { $0.append(number: number) } == text)
    }

    @Test(
        "a Float keeps its own short form",
        arguments: [
            (0.81, "0.81"), (1.4, "1.4"), (270, "270"), (-430.5, "-430.5"), (-0.0, "0"), (1e7, "10000000.0"),
            (3e38, "3e+38"), (.infinity, "null"), (.nan, "null"),
        ] as [(Float, String)]
    )
    func floats(number: Float, text: String) {
        #expect(written { $0.append(number: number) } == text)
    }

    @Test("a Float is written as Swift describes it, whether or not it has few decimals, but for whole numbers")
    func manyFloats() {
        var random = SeededGenerator(seed: 3)
        for _ in 0..<20_000 {
            let hundredths = Float(Int32.random(in: -2_000_000...2_000_000, using: &random)) / 100
            let any = Float(bitPattern: UInt32.random(in: .min ... .max, using: &random))
            for number in [hundredths, hundredths.nextUp, hundredths / 100, any]
            where number.isFinite && number != number.rounded() {
                #expect(written { $0.append(number: number) } == number.description)
            }
        }
    }

    @Test(
        "degrees have at most 7 decimals and no needless zeros",
        arguments: [
            (40.7128, "40.7128"), (-74.006, "-74.006"), (0, "0"), (-0.0, "0"), (180, "180"), (-180, "-180"),
            (0.00000004, "0"), (-0.00000004, "0"), (0.00000005, "0.0000001"), (-0.0000001, "-0.0000001"),
            (10.00000009, "10.0000001"), (89.99999999, "90"), (0.5, "0.5"), (.nan, "null"),
        ] as [(Double, String)]
    )
    func degrees(degrees: Double, text: String) {
        #expect(written { $0.append(degrees: degrees) } == text)
    }

    @Test(
        "whole numbers of any width",
        arguments: [
            (0, "0"), (9, "9"), (10, "10"), (99, "99"), (100, "100"), (-1, "-1"), (1_234_567, "1234567"),
            (.max, "9223372036854775807"), (.min, "-9223372036854775808"),
        ] as [(Int64, String)]
    )
    func integers(number: Int64, text: String) {
        #expect(written { $0.append(integer: number) } == text)
        #expect(written { $0.append(integer: UInt64.max) } == "18446744073709551615")
    }

    @Test("every scalar below U+0100 and some above come back from a string as they went in")
    func strings() throws {
        let scalars = Array((0...0xff).compactMap(Unicode.Scalar.init)) + ["\u{2028}", "\u{2029}", "\u{ffff}", "🧗"]
        for scalar in scalars {
            let text = "a\(Character(scalar))\(Character(scalar))b"
            let document = try JSONDocument(Array(written { $0.append(string: text) }.utf8))
            #expect(document.root.string == text)
        }
        #expect(written { $0.append(string: "") } == #""""#)
        #expect(written { $0.append(string: "\u{1f}\u{7}\u{10}") } == #""\u001f\u0007\u0010""#)
        #expect(written { $0.append(string: nil) } == "null")
    }
}

/// The text that `write` appends.
private func written(_ write: (inout [UInt8]) -> Void) -> String {
    var bytes: [UInt8] = []
    write(&bytes)
    return String(decoding: bytes, as: UTF8.self)
}
