import Testing

@testable import MusterCore

@Suite("Rows of place files")
struct PlaceFileTextTests {
    private static let row =
        "2867714\tMunich\tMunich\tMUC,München,Minga\t48.13743\t11.57549\tP\tPPLA\tDE\t\t02\t091\t09162\t\t1260391\t\t524\tEurope/Berlin\t2014-01-26"

    @Test("a line of GeoNames is read")
    func geoNames() throws {
        let row = try #require(GeoNamesRow(Array(Self.row.utf8)[...]))
        #expect(row.number == 2_867_714)
        #expect(row.name == "Munich")
        #expect(row.alternateNames == ["MUC", "München", "Minga"])
        #expect(row.coordinate == Coordinate(latitude: 48.13743, longitude: 11.57549))
        #expect(row.country == "DE" && row.state == "02")
        #expect(row.population == 1_260_391)
        #expect(row.timezone == "Europe/Berlin")
        #expect(row.type == .city)
        #expect(row.seat == .ofState)
    }

    @Test(
        "a damaged line is none",
        arguments: [
            ("2867714", "x"), ("48.13743", "948.1"), ("48.13743", "nan"), ("11.57549", ""), ("1260391", "-5"),
            ("\tMunich\tMunich", "\t\t"), ("\tP\tPPLA\tDE\t\t02\t091\t09162\t\t1260391\t\t524", ""),
        ]
    )
    func damaged(_ part: String, _ instead: String) {
        #expect(GeoNamesRow(Array(Self.row.replacing(part, with: instead, maxReplacements: 1).utf8)[...]) == nil)
    }

    @Test("a line that is no UTF-8 is none")
    func notText() {
        var bytes = Array(Self.row.utf8)
        bytes[9] = 0xFF
        #expect(GeoNamesRow(bytes[...]) == nil)
    }

    @Test(
        "what is wrong with a damaged line is told",
        arguments: [
            ("garbage", "1 field"), ("a,b\tc", "2 fields"),
            (Self.row.replacing("2867714", with: "x"), "number of a place"),
            (Self.row.replacing("48.13743", with: "948"), "latitude"),
            (Self.row.replacing("\tMunich\tMunich", with: "\t\t"), "no name"),
            (Self.row.replacing("1260391", with: "-5"), "number"),
        ]
    )
    func problem(_ line: String, _ part: String) {
        let problem = GeoNamesRow.problem(of: Array(line.utf8)[...])
        #expect(problem.contains(part), "\(problem)")
    }

    @Test(
        "lines come whole, however the bytes are cut, and without a byte order mark",
        arguments: [1, 2, 3, 7, 100],
        ["", "\u{FEFF}"]
    )
    func lines(_ size: Int, _ mark: String) {
        let bytes = Array("\(mark)one\r\ntwo\n\nthree".utf8)
        var splitter = LineSplitter()
        var lines: [String] = []
        for start in stride(from: 0, to: bytes.count, by: size) {
            splitter.consume(bytes[start..<min(start + size, bytes.count)]) {
                lines.append(String(decoding: $0, as: UTF8.self))
            }
        }
        splitter.end { lines.append(String(decoding: $0, as: UTF8.self)) }
        #expect(lines == ["one", "two", "", "three"])
    }

    @Test(
        "features come whole out of a collection, of lines, and of one",
        arguments: [
            (#"{"type":"FeatureCollection","bbox":[1,2],"features":[{"a":"}]\"{"},{"b":[{"c":1}]}],"x":{}}"#, 2),
            ("{\"a\":1}\n{\"b\":{\"c\":[1,[2]]}}\n", 2), ("\u{1E}{\"a\":1}\n", 1), ("", 0),
            ("\u{FEFF}{\"a\":1}\r\n", 1),
        ],
        [1, 3, 1000]
    )
    func features(_ text: (String, Int), _ size: Int) {
        let bytes = Array(text.0.utf8)
        var splitter = FeatureSplitter()
        var features: [String] = []
        for start in stride(from: 0, to: bytes.count, by: size) {
            splitter.consume(Array(bytes[start..<min(start + size, bytes.count)])) { feature, _ in
                features.append(String(decoding: feature, as: UTF8.self))
            }
        }
        #expect(features.count == text.1, "\(features)")
        #expect(features.allSatisfy { $0.hasPrefix("{") && $0.hasSuffix("}") })
        #expect(splitter.isComplete)
    }

    @Test("a file that is cut off, or closes what is not open, is damaged", arguments: ["{\"a\":[", "{]", "}"])
    func cutOff(_ text: String) {
        var splitter = FeatureSplitter()
        splitter.consume(Array(text.utf8)) { _, _ in }
        #expect(!splitter.isComplete)
    }

    @Test("a feature knows the line in which it begins")
    func featureLines() {
        for (text, expected) in [
            ("{\"features\":[\n{\"a\":\n1},{\"b\":1},\n\n{\"c\":1}]}", [2, 3, 5]),
            ("{\"a\":1}\n\n{\n\"b\":1}\n", [1, 3]),
        ] {
            var splitter = FeatureSplitter()
            var lines: [Int] = []
            splitter.consume(Array(text.utf8)) { _, line in lines.append(line) }
            #expect(lines == expected)
        }
    }
}
