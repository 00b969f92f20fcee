import MusterCore
import MusterWire
import Postgres

extension Directory {
    /// Finds the possible meanings of a query, best first.
    ///
    /// - Throws: `badRequest`; `unavailable` while no gazetteer has been imported.
    package func geocode(
        _ request: Geocode,
        within timeout: Int = GeocodeStatements.timeout
    ) async throws -> GeocodeAnswer {
        try require(Geocode.isText(request.q), "q", "must have 1 to 200 characters")
        if let point = PositionText.coordinate(in: request.q) { return try await self.geocode(point, request) }
        let query = GeocodeQuery(parts: PlaceKey.parts(request.q))
        var search = GeocodeSearch(query: query, bias: request.bias, completes: request.completes)
        let gazetteers = try await search.findExact(self)
        guard !gazetteers.isEmpty else { throw Self.noGazetteer }
        var isCutShort = false
        if !query.words.isEmpty, search.bestText < GeocodeScoring.goodText {
            isCutShort = try await search.findAlike(self, within: timeout) == .cutShort
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
            // The beginning of a name is not sent to external servers.
            wantsMore: !request.completes && !query.words.isEmpty
                && (query.hasStreetPart || search.bestText < GeocodeScoring.goodText)
        )
    }

    /// A position in the query is itself the result.
    private func geocode(_ point: Coordinate, _ request: Geocode) async throws -> GeocodeAnswer {
        let nearest = try await self.nearest(to: point, isCoarse: false).place
        let place = Place(position: point, near: nearest?.place)
        let match = GeocodeMatch(position: request.bias.map { point.distance(to: $0) })
        return GeocodeAnswer(
            results: [GeocodeAnswer.Result(place: place, match: match)],
            attribution: nearest?.attribution ?? []
        )
    }

    /// Returns a place by its id; a place at a position is computed from the id.
    ///
    /// - Throws: `notFound`, `unavailable`.
    func place(_ id: String) async throws -> Place {
        if id.hasPrefix(Place.positionPrefix), let point = PositionText.coordinate(in: id) {
            return Place(position: point, near: try await self.nearest(to: point, isCoarse: false).place?.place)
        }
        guard let place = try await self.places([id])[id] else {
            throw FrameError(.notFound, message: "There is no such place.")
        }
        return place
    }

    /// The nearest house or street within 50 m of a point; otherwise the nearest city within 30 km; otherwise nil.
    ///
    /// - Parameters:
    ///   - point: the point.
    ///   - isCoarse: whether the result is at most as precise as a city.
    /// - Returns: the place, and its attribution.
    /// - Throws: `unavailable` while no gazetteer has been imported.
    func place(
        at point: Coordinate,
        isCoarse: Bool = false
    ) async throws -> (place: Place, attribution: [String])? {
        let found = try await self.nearest(to: point, isCoarse: isCoarse)
        guard found.hasGazetteer else { throw Self.noGazetteer }
        return found.place
    }

    /// The nearest place to a point, if there is one, and whether any gazetteer exists.
    private func nearest(
        to point: Coordinate,
        isCoarse: Bool
    ) async throws -> (hasGazetteer: Bool, place: (place: Place, attribution: [String])?) {
        let results = try await self.pool.pipeline(
            [GeocodeStatements.gazetteers, GeocodeStatements.nearestCity(to: point)]
                + (isCoarse ? [] : [GeocodeStatements.nearestDoor(to: point)])
        )
        guard let row = results.dropFirst(2).first?.first ?? results[1].first else {
            return (!results[0].isEmpty, nil)
        }
        let place = try Place(row)
        var attribution: [String] = []
        for row in results[0] where try row.text("source") == place.source {
            attribution.append(try row.text("attribution"))
        }
        return (true, (place, attribution))
    }

    private static var noGazetteer: FrameError {
        FrameError(.unavailable, message: "No gazetteer is imported; run muster import places FILE.")
    }

    /// Places by their ids; missing ones are left out.
    private func places(_ ids: [String]) async throws -> [String: Place] {
        guard !ids.isEmpty else { return [:] }
        let result = try await self.query(
            "SELECT \(Place.columns) FROM muster.place p \(Place.joins) WHERE p.id = ANY($1)",
            [.textArray(ids)]
        )
        var places: [String: Place] = [:]
        for row in result {
            let place = try Place(row)
            places[place.id] = place
        }
        return places
    }
}
