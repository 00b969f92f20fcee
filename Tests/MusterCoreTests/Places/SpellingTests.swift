import Testing

@testable import MusterCore

@Suite("Spelling")
struct SpellingTests {
    @Test(
        "a letter missing, too many, wrong or swapped is one mistake",
        arguments: [
            ("london", "london", 0), ("lodnon", "london", 1), ("londn", "london", 1), ("lonndon", "london", 1),
            ("lomdon", "london", 1), ("olndno", "london", 2), ("", "abc", 3), ("abc", "", 3), ("ca", "abc", 3),
            ("sao paolo", "sao paulo", 1), ("san fransisco", "san francisco", 1),
        ]
    )
    func distance(_ text: String, _ name: String, _ expected: Int) {
        #expect(Spelling.distance(text, name) == expected)
        #expect(Spelling.distance(name, text) == expected, "it is the same both ways")
    }

    @Test("longer words may have more mistakes")
    func tolerance() {
        #expect([4, 5, 6, 10, 11].map(Spelling.tolerance(letters:)) == [1, 1, 2, 2, 3])
    }

    @Test("neighbours are swapped one pair at a time, and no space comes to an end")
    func swaps() {
        #expect(Spelling.swaps(of: "abca") == ["baca", "acba", "abac"])
        #expect(Spelling.swaps(of: "aab") == ["aba"], "equal letters change nothing")
        #expect(Spelling.swaps(of: "a b") == [])
        #expect(Spelling.swaps(of: "") == [])
    }
}
