import MusterCore
import Postgres

/// The execution of one query: an exact search, then a fuzzy one.
struct GeocodeSearch {
    /// A gazetteer and its attribution.
    typealias Gazetteer = (source: String, attribution: String)

    /// Whether a search was completed.
    enum End {
        case whole
        case cutShort
    }

    private let query: GeocodeQuery
    private let completes: Bool
    private var scoring: GeocodeScoring

    /// Creates a search.
    init(query: GeocodeQuery, bias: Coordinate?, completes: Bool) {
        self.query = query
        self.completes = completes
        self.scoring = GeocodeScoring(query, bias: bias)
    }

    /// The best text score so far.
    var bestText: Double { self.scoring.results(limit: 0).bestText }

    /// The results so far, best first.
    func matches(limit: Int) -> [(id: String, match: GeocodeMatch)] {
        self.scoring.results(limit: limit).matches.map { (self.scoring.candidate($0.candidate).id, $0) }
    }

    /// Finds places with a name equal to a span or, for an incomplete last word, with a name that begins with one.
    ///
    /// - Returns: all gazetteers.
    mutating func findExact(_ directory: Directory) async throws -> [Gazetteer] {
        var statements = [
            GeocodeStatements.gazetteers, GeocodeStatements.exact(self.keys(self.query.spans.indices, \.keys)),
        ]
        let beginnings = self.completes ? self.query.beginnings : []
        if !beginnings.isEmpty {
            let keys = self.keys(beginnings) { [$0.key] + $0.fullKeys }
            statements.append(GeocodeStatements.beginnings(keys))
        }
        let results = try await directory.pool.pipeline(statements)
        for result in results.dropFirst() {
            try self.addHits(of: result) { GeocodeHit(span: $0, candidate: $1, isOwn: $3) }
        }
        return try results[0].map { row in
            (source: try row.text("source"), attribution: try row.text("attribution"))
        }
    }

    /// Finds places with a name similar to a span, within the given number of milliseconds.
    mutating func findAlike(_ directory: Directory, within timeout: Int) async throws -> End {
        let spans = self.query.fuzzyKeys(besides: self.scoring.areas)
        guard !spans.isEmpty else { return .whole }
        let swaps = spans.flatMap { span in Spelling.swaps(of: span.key).map { (number: span.number, key: $0) } }
        let results: [PostgresResult]
        do {
            results = try await directory.pool.pipeline([
                GeocodeStatements.setting("statement_timeout", "\(timeout)ms"),
                GeocodeStatements.setting("pg_trgm.similarity_threshold", GeocodeStatements.likeness),
                GeocodeStatements.alike(spans),
                GeocodeStatements.exact(swaps, limit: GeocodeStatements.fuzzyLimit),
            ])
        } catch {
            guard error.sqlState == "57014" else { throw error }
            return .cutShort
        }
        let query = self.query
        for result in results.dropFirst(2) {
            try self.addHits(of: result) { span, candidate, key, isOwn in
                GeocodeHit.fuzzy(key, span: span, of: query, candidate: candidate, isOwn: isOwn)
            }
        }
        return .whole
    }

    /// The keys of spans, each with the index of its span.
    private func keys(
        _ numbers: some Sequence<Int>,
        _ keys: (GeocodeQuery.Span) -> [String]
    ) -> [(number: Int, key: String)] {
        numbers.flatMap { number in keys(self.query.spans[number]).map { (number, $0) } }
    }

    /// Adds the hits in rows of names with their places.
    private mutating func addHits(
        of result: PostgresResult,
        _ makeHit: (_ span: Int, _ candidate: Int, _ key: String, _ isOwn: Bool) -> GeocodeHit?
    ) throws {
        for row in result {
            let id = try row.text("id")
            let known = self.scoring.number(of: id)
            let number = if let known { known } else { self.scoring.number(of: try Self.candidate(id, row)) }
            let hit = makeHit(Int(try row.int32("span")), number, try row.text("key"), try row.bool("own"))
            if let hit { self.scoring.add(hit) }
        }
    }

    private static func candidate(_ id: String, _ row: PostgresRow) throws -> GeocodeCandidate {
        GeocodeCandidate(
            id: id,
            name: try row.text("name"),
            type: try row.choice("type"),
            category: try row.optionalText("category").flatMap(PlaceCategory.init(rawValue:)),
            coordinate: Coordinate(latitude: try row.float8("lat"), longitude: try row.float8("lon")),
            importance: Double(try row.float4("importance")),
            country: try row.optionalText("country"),
            state: try row.optionalText("state"),
            parent: try row.optionalText("parent")
        )
    }
}
