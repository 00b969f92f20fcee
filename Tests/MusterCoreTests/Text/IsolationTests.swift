import Testing

@testable import MusterCore

@Suite struct IsolationTests {
    @Test(
        "a text that may turn its neighbours is isolated, and cannot end that itself",
        arguments: [
            ("Ada", "Ada"), ("Zoë 🧗", "Zoë 🧗"), ("", ""),
            ("אבא", "\u{2068}אבא\u{2069}"),
            ("a\u{202E}b", "\u{2068}a\u{202E}b\u{2069}"),
            ("a\u{200F}", "\u{2068}a\u{200F}\u{2069}"),
            ("a\u{2069}\u{202E}b", "\u{2068}a\u{202E}b\u{2069}"),
            ("\u{2067}a", "\u{2068}\u{2067}a\u{2069}\u{2069}"),
            ("\u{2066}a\u{2069}\u{2069}b", "\u{2068}\u{2066}a\u{2069}b\u{2069}"),
        ]
    )
    func isolated(text: String, expected: String) {
        #expect(Isolation.of(text).unicodeScalars.elementsEqual(expected.unicodeScalars))
    }
}
