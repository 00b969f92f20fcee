import Foundation
package import MusterCore
package import MusterServer
import MusterWire

/// Geocoding queries with their expected results.
package struct GeocodeCheck: Sendable {
    /// A query with its expected result.
    package struct Query: Sendable {
        package let text: String
        package let bias: Coordinate?
        /// The expected position of one of the first results; nil when there must be no result.
        package let expected: Coordinate?
        /// The maximum distance in metres.
        package let within: Double
        /// The number of results that are considered.
        package let top: Int
        /// The file that must have been imported, such as `cities500`; nil for the file that every server imports.
        package let data: String?

        /// Whether the given results, best first, match the expectation.
        package func isPassed(by places: [Coordinate]) -> Bool {
            guard let expected else { return places.isEmpty }
            return places.prefix(self.top).contains { $0.distance(to: expected) <= self.within }
        }
    }

    /// The time limit of a query in milliseconds; long, because no client waits and only the results are checked.
    private static let timeout = 30_000

    /// The queries, in the order of the file.
    package let queries: [Query]

    /// Reads a table whose first line contains the column names.
    package init(path: String) throws {
        guard let content = FileManager.default.contents(atPath: path) else {
            throw UsageError("cannot read '\(path)'")
        }
        let lines = String(decoding: content, as: UTF8.self).fileLines.map {
            $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        }
        guard let head = lines.first, head.contains("q"), head.contains("expect_lat") else {
            throw UsageError("'\(path)' must begin with a header line that has the columns q and expect_lat")
        }
        self.queries = try lines.enumerated().dropFirst().filter { $0.element != [""] }.map { number, fields in
            let row = Dictionary(zip(head, fields)) { first, _ in first }
            func point(_ latitude: String, _ longitude: String) -> Coordinate? {
                guard let latitude = row[latitude].flatMap({ Double($0) }),
                    let longitude = row[longitude].flatMap({ Double($0) })
                else { return nil }
                return Coordinate(latitude: latitude, longitude: longitude)
            }
            let expected = point("expect_lat", "expect_lon")
            guard let text = row["q"], !text.isEmpty, expected != nil || row["expect_lat"] == "-",
                let within = row["within_km"].flatMap({ Double($0) }), let top = row["top"].flatMap({ Int($0) })
            else { throw UsageError("'\(path)', line \(number + 1): must have a query and an expected place") }
            return Query(
                text: text,
                bias: point("bias_lat", "bias_lon"),
                expected: expected,
                within: within * 1000,
                top: top,
                data: row["data"].flatMap { $0.isEmpty || $0 == "default" ? nil : $0 }
            )
        }
    }

    /// Executes all queries, by trigram similarity alone if `isPlain`, prints each result, and returns whether all
    /// pass.
    package func run(_ directory: Directory, isPlain: Bool) async throws -> Bool {
        var passed = 0
        let wanted = try await self.queries(for: directory)
        for query in wanted {
            let places: [(label: String, coordinate: Coordinate)]
            if isPlain {
                places = try await directory.placesBySimilarity(query.text, limit: max(1, query.top))
            } else {
                let request = Geocode(query.text, near: query.bias, limit: max(1, query.top))
                places = try await directory.geocode(request, within: Self.timeout).results.map {
                    ($0.place.label, $0.place.coordinate)
                }
            }
            let isPassed = query.isPassed(by: places.map(\.coordinate))
            passed += isPassed ? 1 : 0
            print("\(isPassed ? "pass" : "FAIL")  \(query.text)  →  \(places.first?.label ?? "nothing")")
        }
        let skipped = self.queries.count - wanted.count
        print(
            "\(passed) of \(wanted.count) pass\(skipped > 0 ? "; \(skipped) skipped: their file is not imported" : "")"
        )
        return passed == wanted.count
    }

    /// The queries whose file has been imported.
    package func queries(for directory: Directory) async throws -> [Query] {
        let sources = try await directory.gazetteers().map(\.source)
        return self.queries.filter { query in
            query.data.map { data in sources.contains { $0.hasSuffix("-\(data)") } } ?? true
        }
    }
}
