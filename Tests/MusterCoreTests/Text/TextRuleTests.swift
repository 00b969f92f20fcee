import Testing

@testable import MusterCore

@Suite struct TextRuleTests {
    @Test(
        "white space around a text is cut off, and what is left is kept as it is",
        arguments: [
            (TextRule.line(1...10), " \u{2003}Zoë 🧗\n ", "Zoë 🧗"),
            (.lines(1...10), "\n a\nb \n", "a\nb"),
            (.privateLine(0...10), "  ", ""),
            (.privateLine(0...10), "\u{200F}אבא", "\u{200F}אבא"),
            (.line(1...20), "Wien\tHbf\t18:30\r\n", "Wien Hbf 18:30"),
            (.lines(1...20), "a\r\nb\rc\u{2028}d\u{2029}e\u{85}f\u{B}g\r\r\n\nh\ti", "a\nb\nc\nd\ne\nf\ng\n\n\nh i"),
            (.lines(1...9), "a\u{202E}b", "a\u{202E}b"),
            (.line(1...9), "\u{200F}\u{2067}אבא\u{2069}", "\u{200F}\u{2067}אבא\u{2069}"),
            (.displayName, String(repeating: "é", count: 80), String(repeating: "é", count: 80)),
        ]
    )
    func cleaned(rule: TextRule, text: String, expected: String) throws {
        #expect(try rule.cleaned(text) == expected)
    }

    @Test(
        "what leaves no mark on a screen is not visible, alone or together",
        arguments: [
            0x00AD, 0x034F, 0x061C, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180B, 0x180E, 0x180F, 0x200B, 0x200D, 0x202E,
            0x2060,
            0x2066, 0x206F, 0x2800, 0x3164, 0xFE00, 0xFE0F, 0xFEFF, 0xFFA0, 0x13441, 0x1BCA0, 0x1D159, 0x1D173, 0xE0001,
            0xE0061, 0xE0100, 0xE0FFF, 0x00A0, 0x2003, 0x3000, 0xFFFE,
        ] as [UInt32]
    )
    func invisible(value: UInt32) throws {
        let scalar = try #require(Unicode.Scalar(value))
        for text in ["\u{2060}\(scalar)\(scalar)", "\u{3164}\(scalar)\u{2800}"] {
            #expect(throws: TextRule.Violation.invisible) { try TextRule.line(1...9).cleaned(text) }
        }
        #expect(throws: Never.self) { try TextRule.line(1...9).cleaned("a\(scalar)b") }
    }

    @Test(
        "what leaves a mark is visible",
        arguments: ["a", "ㄱ", "⠁", "🧗\u{FE0F}", "نا", "e\u{301}", "\u{E000}", "1", "·", "\u{FFFD}"]
    )
    func visible(text: String) throws {
        #expect(try TextRule.displayName.cleaned(text) == text)
    }

    @Test(
        "what breaks the rule is refused, with the reason",
        arguments: [
            (TextRule.line(1...3), "", TextRule.Violation.length(1...3)),
            (.line(1...3), "abcd", .length(1...3)),
            (.line(1...3), " \u{2003} ", .length(1...3)),
            (.line(1...3), "a\nb", .controlCharacter(mayHaveLines: false)),
            (.line(1...3), "a\u{2028}b", .controlCharacter(mayHaveLines: false)),
            (.lines(1...3), "a\u{7}b", .controlCharacter(mayHaveLines: true)),
            (.line(1...9), "a\r\nb", .controlCharacter(mayHaveLines: false)),
            (.privateLine(0...9), "a\u{0}b", .controlCharacter(mayHaveLines: false)),
            (.line(1...3), "\u{200B}", .invisible),
        ]
    )
    func refused(rule: TextRule, text: String, violation: TextRule.Violation) {
        #expect(throws: violation) { try rule.cleaned(text) }
    }
}
