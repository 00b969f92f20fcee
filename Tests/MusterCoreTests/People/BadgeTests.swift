import Foundation
import MusterTestSupport
import Testing

@testable import MusterCore

@Suite("What stands for a person without a picture")
struct BadgeTests {
    /// The cases that the page's tests share (`Tests/Browser/test_badges.py`).
    private struct Cases: Decodable {
        struct Name: Decodable {
            let name: String
            let initials: String
        }

        let initials: [Name]
    }

    private struct Colour: Decodable {
        let person: UserID
        let hue: Int
    }

    private let cases: Cases
    private let colours: [Colour]

    init() throws {
        let folder = MusterProcess.checkout.appending(path: "Tests/Fixtures")
        let (badges, colours) = (folder.appending(path: "badges.json"), folder.appending(path: "colours.json"))
        self.cases = try JSONDecoder().decode(Cases.self, from: Data(contentsOf: badges))
        self.colours = try JSONDecoder().decode([Colour].self, from: Data(contentsOf: colours))
    }

    @Test("initials are the first character of the first and last word, in any script")
    func initials() {
        #expect(!self.cases.initials.isEmpty)
        for row in self.cases.initials {
            #expect(Badge.initials(of: row.name) == row.initials, "\(row.name)")
        }
    }

    @Test("a colour depends on the id alone")
    func hues() {
        #expect(self.colours.count == 10)
        for row in self.colours {
            #expect(Badge.hue(of: row.person) == row.hue, "\(row.person)")
            #expect(Badge.colour(of: row.person) == Badge.colours[row.hue])
        }
    }
}
