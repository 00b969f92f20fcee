import Foundation
import MusterCommands
import MusterCore
import MusterServer
import MusterWire
import Postgres

/// `muster geocode`: searches a place as the server does, and explains the result.
enum GeocodeCommand: Command {
    static let name = "geocode"
    static let summary = "Look up a place as the server does, and explain the result."
    static let usage = "TEXT… | --check FILE.tsv [options]"
    static let discussion = """
        Prints the places that the text may mean, the best first: score, match (exact, fuzzy or partial), label,
        position and id. The exit status is 1 if nothing is found. A text can also be a position, such as "48.2082,
        16.3738", "48°12'29.5\"N 16°22'25.7\"E", geo:48.2082,16.3738 or the link of a map. A text that begins with a
        minus must follow --, as in muster geocode -- "-33.8688, 151.2093". --explain adds the matching names, the
        matching context and the parts of the score.

        --check reads a table of queries with expected places and prints which ones pass. Its header line names the
        columns q, bias_lat, bias_lon, expect_lat, expect_lon, within_km and top. '-' in expect_lat means that nothing
        must be found. A query whose column data names a file, such as cities500, is skipped if that file is not
        imported. The exit status is 1 if a query fails.

        Import places with muster import places; muster serve imports the first ones itself.
        """
    static let options: [Option] =
        [
            Option("explain", help: "explain for each place why it was found"),
            Option("bias", .one("LAT,LON"), help: "prefer places near this position"),
            Option("complete", help: "treat the last word as the beginning of a word"),
            Option("limit", .one("N"), default: "5", help: "maximum number of places"),
            Option("check", .one("FILE"), help: "look up the queries of a table, and report which ones pass"),
            Option("plain", help: "with --check: look up by trigram similarity (pg_trgm) alone, for comparison"),
        ] + Option.database

    static func run(_ values: OptionValues) async throws -> Int32 {
        let bias = try self.bias(values)
        let limit = try values.integer("limit", in: Geocode.limitRange)
        let check = try values.text("check").map { (path) throws in try GeocodeCheck(path: path) }
        let text = values.operands.joined(separator: " ")
        if check != nil {
            guard text.isEmpty else { throw UsageError("--check must not be combined with TEXT: '\(text)'") }
        } else {
            guard !text.isEmpty else { throw UsageError("TEXT is required: muster geocode TEXT") }
            guard Geocode.isText(text) else { throw UsageError("TEXT must have 1 to 200 characters") }
        }
        let wanted =
            "no places are imported in this database; run muster import places FILE…,"
            + " or let muster serve import the cities of libtimezonemap-data"
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
            throw UsageError("--bias must be LAT,LON in degrees, not '\(text)'")
        }
        return point
    }
}
