import Testing

@testable import MusterCore

@Suite("The words of a query")
struct GeocodeQueryTests {
    @Test(
        "little words, numbers and the street weigh less",
        arguments: [
            (["10 downing street", "london"], [0.6, 2.1, 1.8, 6]),
            (["av paulista 1578", "sao paulo"], [0.6, 2.4, 1.2, 3, 5]),
            (["rue de rivoli", "paris"], [0.9, 0.6, 1.8, 5]),
            (["friedrichstrasse 43 berlin"], [4.8, 0.6, 6]),
            (["city of london"], [1.2, 0.6, 6]),
            (["saint petersburg florida"], [5, 10, 7]),
            (["paris"], [5]), (["wall street"], [4, 1.8]), (["x"], [2]),
        ] as [([String], [Double])]
    )
    func weights(_ parts: [String], _ expected: [Double]) {
        let weights = GeocodeQuery(parts: parts).weights
        #expect(weights.count == expected.count)
        for (weight, wanted) in zip(weights, expected) { #expect(abs(weight - wanted) < 1e-9) }
    }

    @Test("of many words the first four and the last eight count")
    func longest() {
        let words = (1...20).map { "w\($0)" }
        let query = GeocodeQuery(parts: [words.joined(separator: " ")])
        #expect(query.words == Array(words.prefix(4) + words.suffix(8)))
        #expect(query.spans.map(\.words.count).max() == 6)
        #expect(GeocodeQuery(parts: []).spans.isEmpty)
    }

    @Test("mistakes are looked for in comma parts first, then in few words, then in long ones, and not in areas")
    func fuzzyOrder() {
        let query = GeocodeQuery(parts: ["old barcelna", "spain"])
        let spain = query.spans.firstIndex { $0.key == "spain" } ?? -1
        let order = query.fuzzySpans(besides: [spain]).map { query.spans[$0].key }
        #expect(order == ["old barcelna", "barcelna", "barcelna spain", "old barcelna spain"])
        let long = GeocodeQuery(parts: ["alpha bravo charlie delta echos foxtrot"])
        #expect(long.fuzzySpans(besides: []).count == 8)
    }

    @Test("only a last word of three letters is a beginning")
    func beginnings() {
        let query = GeocodeQuery(parts: ["new yor"])
        #expect(query.beginnings.map { query.spans[$0].key } == ["new yor", "yor"])
        #expect(GeocodeQuery(parts: ["new yo"]).beginnings.isEmpty)
    }
}
