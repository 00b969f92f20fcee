import Foundation
import MusterTestSupport
import Testing

@testable import MusterCore
@testable import MusterServer

/// The table of categories with their OpenStreetMap tags, Yelp names and usual prices.
@Suite struct PlaceCategoryTableTests {
    private static let table = MusterProcess.checkout.appending(path: "Tests/Fixtures/place-categories.tsv")

    @Test("all ten categories are what the table says")
    func rows() throws {
        let lines = try String(contentsOf: Self.table, encoding: .utf8).split(separator: "\n").dropFirst()
        #expect(lines.count == PlaceCategory.allCases.count)
        for (category, line) in zip(PlaceCategory.allCases, lines) {
            let fields = line.split(separator: "\t").map(String.init)
            #expect(fields[0] == category.rawValue)
            let tags = category.tags.map { "\($0.key)=\($0.values.sorted().joined(separator: "|"))" }
            let expected = fields[1].split(separator: ";").map { tag in
                let parts = tag.trimmingCharacters(in: .whitespaces).split(separator: "=")
                return "\(parts[0])=\(parts[1].split(separator: "|").sorted().joined(separator: "|"))"
            }
            #expect(tags == expected)
            #expect(YelpSource.categories(category) == fields[2])
            #expect(category.usualPriceLevel == Int(fields[3]), "\(category)")
        }
    }

    @Test("a website that is no address that may be shown counts as one all the same")
    func website() {
        var place = ProvidedPlace.sample("a", .art, north: 0)
        #expect(!place.evidence.hasWebsite)
        place.tags["contact:website"] = "www.example.org"
        #expect(place.evidence.hasWebsite)
    }
}
