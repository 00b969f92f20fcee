import MusterCore
import Testing

@Suite struct FileLinesTests {
    @Test(
        "a text file has the same lines whichever system wrote it",
        arguments: [
            "a = 1\n\nb", "a = 1\r\n\r\nb", "a = 1\r\rb", "\u{FEFF}a = 1\n\nb", "\u{FEFF}a = 1\r\n\r\nb",
            "a = 1\r\n\nb",
        ]
    )
    func lines(text: String) {
        #expect(text.fileLines == ["a = 1", "", "b"])
    }

    @Test("what ends with a line's end has an empty line behind it", arguments: ["a\n", "a\r\n", "a\r"])
    func last(text: String) {
        #expect(text.fileLines == ["a", ""])
    }
}
