package import MusterCore
package import MusterWire
import Postgres

extension Directory {
    /// What a query may mean, the best first.
    ///
    /// - Throws: `badRequest`; `unavailable` while no gazetteer has been imported.
    package func geocode(
        _ request: Geocode,
        within patience: Int = GeocodeStatements.patience
    ) async throws(DirectoryError) -> GeocodeAnswer {
        try require(Geocode.textLength.contains(request.q.unicodeScalars.count), "q", "must have 1 to 200 characters")
        let query = GeocodeQuery(parts: PlaceKey.parts(request.q))
        var search = GeocodeSearch(query: query, bias: request.bias, completes: request.completes)
        let gazetteers = try await search.findExact(self)
        guard !gazetteers.isEmpty else { throw Self.noGazetteer }
        var isCutShort = false
        if !query.words.isEmpty, search.bestText < GeocodeScoring.goodText {
            isCutShort = try await search.findAlike(self, within: patience) == .cutShort
        }
        let matches = search.matches(limit: request.limit)
        let places = try await self.places(matches.map(\.id))
        let results = matches.compactMap { match in
            places[match.id].map { GeocodeAnswer.Result(place: $0, match: match.match) }
        }
        let sources = Set(results.map(\.place.source))
        let attribution = Set(gazetteers.filter { sources.contains($0.source) }.map(\.attribution)).sorted()
        return GeocodeAnswer(
            results: results,
            attribution: attribution,
            isCutShort: isCutShort,
            // A beginning of a name is nobody else's business.
            wantsMore: !request.completes && !query.words.isEmpty
                && (query.hasStreetPart || search.bestText < GeocodeScoring.goodText)
        )
    }

    /// A place by its id.
    ///
    /// - Throws: `notFound`, `unavailable`.
    package func place(_ id: String) async throws(DirectoryError) -> Place {
        guard let place = try await self.places([id])[id] else {
            throw DirectoryError(.notFound, "there is no such place")
        }
        return place
    }

    /// The house or street within 50 m of a point, the nearest of them; else the nearest city within 30 km; else nil.
    ///
    /// - Parameters:
    ///   - point: where to look.
    ///   - isRough: whether a city is the finest that is wanted.
    /// - Returns: the place, and whom to name beside it.
    /// - Throws: `unavailable` while no gazetteer has been imported.
    package func place(
        at point: Coordinate,
        isRough: Bool = false
    ) async throws(DirectoryError) -> (place: Place, attribution: [String])? {
        let results = try await self.pipeline(
            [GeocodeStatements.gazetteers, GeocodeStatements.nearestCity(to: point)]
                + (isRough ? [] : [GeocodeStatements.nearestDoor(to: point)])
        )
        guard !results[0].isEmpty else { throw Self.noGazetteer }
        return try decoding { () throws(PostgresError) in
            guard let row = results.dropFirst(2).first?.first ?? results[1].first else { return nil }
            let place = try Place(row)
            var attribution: [String] = []
            for row in results[0] where try row.text("source") == place.source {
                attribution.append(try row.text("attribution"))
            }
            return (place, attribution)
        }
    }

    private static var noGazetteer: DirectoryError {
        DirectoryError(.unavailable, "no gazetteer has been imported yet")
    }

    /// Places by their ids; those that are not there are left out.
    private func places(_ ids: [String]) async throws(DirectoryError) -> [String: Place] {
        guard !ids.isEmpty else { return [:] }
        let result = try await self.query(
            "SELECT \(Place.columns) FROM muster.place p \(Place.joins) WHERE p.id = ANY($1)",
            [.textArray(ids)]
        )
        return try decoding { () throws(PostgresError) in
            var places: [String: Place] = [:]
            for row in result {
                let place = try Place(row)
                places[place.id] = place
            }
            return places
        }
    }

    /// Runs several statements in one round trip.
    func pipeline(_ statements: [PostgresStatement]) async throws(DirectoryError) -> [PostgresResult] {
        do throws(PostgresError) {
            return try await self.pool.pipeline(statements)
        } catch {
            throw DirectoryError(error)
        }
    }
}
