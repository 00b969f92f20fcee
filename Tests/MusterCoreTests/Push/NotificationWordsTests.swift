import Foundation
import MusterTestSupport
import Testing

@testable import MusterCore

@Suite("The words of notifications")
struct NotificationWordsTests {
    /// The texts of the page in a language, by key, without those that differ by number.
    private static func page(_ language: String) throws -> [String: String] {
        let file = MusterProcess.checkout.appending(path: "public/app/words/\(language).js")
        var texts: [String: String] = [:]
        for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
            if let match = line.wholeMatch(of: /\s*"([^"]+)": "([^"]*)",?/) {
                texts[String(match.1)] = Self.shape(String(match.2))
            }
        }
        return texts
    }

    /// A text in which all placeholders are the same, because the page has other names for them.
    private static func shape(_ text: String) -> String { text.replacing(/\{\w+\}/, with: "{}") }

    @Test("a notification that the page words alike in English has the page's words in German, too")
    func page() throws {
        let (english, german) = (try Self.page("en"), try Self.page("de"))
        var compared = 0
        for words in NotificationWords.allCases {
            let text = Self.shape(words.template(in: .english))
            let keys = english.filter { $0.value == text }.keys
            guard !keys.isEmpty else { continue }
            compared += 1
            let own = Self.shape(words.template(in: .german))
            let theirs = keys.sorted().map { "\($0): \(german[$0] ?? "")" }
            #expect(keys.contains { german[$0] == own }, "\(words): \(own), and on the page \(theirs)")
        }
        #expect(compared >= 10, "the page's tables could not be read")
    }

    @Test("both languages have the same placeholders", arguments: NotificationWords.allCases)
    func placeholders(_ words: NotificationWords) {
        func names(_ language: Language) -> [String] {
            words.template(in: language).matches(of: /\{\w+\}/).map { String($0.output) }.sorted()
        }
        #expect(names(.english) == names(.german))
    }
}
