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

        struct Member: Decodable {
            let user: UserID
            let colour: String
        }

        let initials: [Name]
        let colours: [[Member]]
    }

    private let cases: Cases

    init() throws {
        let file = MusterProcess.checkout.appending(path: "Tests/Fixtures/badges.json")
        self.cases = try JSONDecoder().decode(Cases.self, from: Data(contentsOf: file))
    }

    @Test("initials are the first character of the first and last word, in any script")
    func initials() {
        #expect(!self.cases.initials.isEmpty)
        for row in self.cases.initials {
            #expect(Badge.initials(of: row.name) == row.initials, "\(row.name)")
        }
    }

    @Test("colours follow the order of ids, whatever the order of members")
    func colours() {
        #expect(!self.cases.colours.isEmpty)
        for members in self.cases.colours {
            for order in [members, members.reversed()] {
                let colours = Badge.colours(of: order.map(\.user))
                for member in members {
                    #expect(colours[member.user] == UInt32(member.colour.dropFirst(), radix: 16), "\(member.user)")
                }
            }
        }
    }
}
