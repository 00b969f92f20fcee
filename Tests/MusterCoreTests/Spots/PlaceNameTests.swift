import Testing

@testable import MusterCore

@Suite struct PlaceNameTests {
    @Test(
        "a place is called by the first line of its comment",
        arguments: [
            ("Blue Bottle", "Blue Bottle"),
            ("Blue Bottle\nThe corner table.", "Blue Bottle"),
            ("Blue Bottle \t\n\n", "Blue Bottle"),
            ("Blue Bottle\u{2028}The corner table.", "Blue Bottle"),
            ("x", "x"),
        ]
    )
    func firstLine(comment: String, name: String) {
        #expect(PlaceName.of(comment: comment) == name)
    }

    @Test("a name has at most 80 characters, and a flag is not cut in two")
    func length() {
        let letters = String(repeating: "é", count: 79)
        #expect(PlaceName.of(comment: letters + "ab") == letters + "a")
        #expect(PlaceName.of(comment: letters + " ab") == letters)
        // Two code points that form one grapheme.
        #expect(PlaceName.of(comment: letters + "🇦🇹") == letters)
        // One grapheme that is longer than a name.
        let pile = "a" + String(repeating: "\u{0301}", count: 400)
        #expect(PlaceName.of(comment: pile).unicodeScalars.count == 80)
    }
}
