import Foundation
import MusterCommands
import MusterCore
import MusterServer
import MusterStore
import MusterWire
import Postgres

/// `muster geocode`: searches a place as the server does, and explains the result.
enum GeocodeCommand: Command {
    static let name = "geocode"
    static let summary = "Look a place up as the server does, and say why it was found."
    static let usage = "TEXT… | --check FILE.tsv [options]"
    static let discussion = """
        Prints the places that the text may mean, the best first: score, how much of the text is understood (exact, fuzzy,
        partial), label, position and id. The exit status is 1 when nothing is found. A text that is a position, such as
        "48.2082, 16.3738", "48°12'29.5\"N 16°22'25.7\"E", geo:48.2082,16.3738 or a link of a map, is that position. What
        begins with a minus stands behind --, as in muster geocode -- "-33.8688, 151.2093". --explain adds for each the words that name it, the words that speak for it, and
        the parts of its score.

        --check reads queries with what they must find and prints which pass: columns q, bias_lat, bias_lon, expect_lat,
        expect_lon, within_km and top, by a head line; '-' as expect_lat expects nothing. A query whose column data names a
        file, such as cities500, is left out where that was not imported. The exit status is 1 when one fails.

        Places are imported by muster import places, and the first ones by muster serve.
        """
    static let options = [
        Option("explain", help: "say for each place why it was found"),
        Option("bias", .one("LAT,LON"), help: "where the one who asks is"),
        Option("complete", help: "take the last word as a beginning"),
        Option("limit", .one("N"), default: "5", help: "how many places at most"),
        Option("check", .one("FILE"), help: "look up the queries of a table, and tell which find what they must"),
        Option("plain", help: "with --check: look up by pg_trgm's similarity alone, for comparison"),
        Option(
            "database-url",
            .one("URL"),
            alias: "DATABASE_URL",
            help: "use this PostgreSQL instead of a private one (also: DATABASE_URL)"
        ),
        Option("data-dir", .one("DIR"), default: ".muster", help: "the folder of the private PostgreSQL"),
    ]

    static func run(_ values: OptionValues) async throws -> Int32 {
        let bias = try self.bias(values)
        let limit = try values.integer("limit", in: Geocode.limitRange)
        let check = try values.text("check").map { (path) throws in try GeocodeCheck(path: path) }
        let text = values.operands.joined(separator: " ")
        if check != nil {
            guard text.isEmpty else { throw UsageError("--check takes no text: '\(text)'") }
        } else {
            guard !text.isEmpty else { throw UsageError("names no place: muster geocode TEXT") }
            guard Geocode.isText(text) else { throw UsageError("a text has 1 to 200 characters") }
        }
        let wanted =
            "no places are imported there; import some with muster import places FILE…,"
            + " or let muster serve import the cities that come with libtimezonemap-data"
        let (explains, completes, isPlain) = (values.flag("explain"), values.flag("complete"), values.flag("plain"))
        return try await values.database.withDirectory(wanting: wanted) { directory in
            guard try await !directory.gazetteers().isEmpty else { throw UnusedDatabase(values.database, wanted) }
            if let check { return try await check.run(directory, isPlain: isPlain) ? 0 : 1 }
            let answer = try await directory.geocode(Geocode(text, near: bias, limit: limit, completes: completes))
            for result in answer.results { print(GeocodeLines.text(of: result, explains: explains)) }
            for name in answer.attribution { print("  \(name)") }
            return answer.results.isEmpty ? 1 : 0
        }
    }

    private static func bias(_ values: OptionValues) throws(UsageError) -> Coordinate? {
        guard let text = values.text("bias") else { return nil }
        let numbers = text.split(separator: ",").compactMap { Double($0) }
        guard numbers.count == 2, let point = Coordinate(validating: numbers[0], numbers[1]) else {
            throw UsageError("--bias takes LAT,LON in degrees, not '\(text)'")
        }
        return point
    }
}
