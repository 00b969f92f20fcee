import MusterCore
import Testing

@Suite struct TextRuleTests {
    @Test(
        "white space around a text is cut off, and what is left is kept as it is",
        arguments: [
            (TextRule.line(1...10), " \u{2003}Zoë 🧗\n ", "Zoë 🧗"),
            (.lines(1...10), "\n a\nb \n", "a\nb"),
            (.privateLine(0...10), "  ", ""),
            (.privateLine(0...10), "\u{200F}אבא", "\u{200F}אבא"),
            (.displayName, String(repeating: "é", count: 80), String(repeating: "é", count: 80)),
        ]
    )
    func cleaned(rule: TextRule, text: String, expected: String) throws {
        #expect(try rule.cleaned(text) == expected)
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
            (.lines(1...9), "a\u{202E}b", .controlCharacter(mayHaveLines: true)),
            (.privateLine(0...9), "a\u{0}b", .controlCharacter(mayHaveLines: false)),
            (.line(1...3), "\u{200B}", .invisible),
        ]
    )
    func refused(rule: TextRule, text: String, violation: TextRule.Violation) {
        #expect(throws: violation) { try rule.cleaned(text) }
    }
}
