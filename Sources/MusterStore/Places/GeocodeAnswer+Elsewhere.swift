package import MusterCore
package import MusterWire

extension GeocodeAnswer {
    /// The same with places that a server elsewhere found, judged by the same rules, in one order.
    ///
    /// A place that is known here already, or as good as known, stays as it is.
    package func adding(
        _ places: [Place],
        for request: Geocode,
        attribution: String
    ) -> GeocodeAnswer {
        let query = GeocodeQuery(parts: PlaceKey.parts(request.q))
        let known = Set(self.results.map(\.place.id))
        let found = Self.judged(places, query, bias: request.bias).filter { !known.contains($0.place.id) }
        let sorted = (self.results + found).sorted { left, right in
            left.match.score != right.match.score
                ? left.match.score > right.match.score : left.place.id < right.place.id
        }
        var kept: [Result] = []
        for result in sorted where kept.count < request.limit {
            let isRepeat = kept.contains { GeocodeScoring.areAlike(.init($0.place), .init(result.place)) }
            if !isRepeat { kept.append(result) }
        }
        let isUsed = kept.contains { result in found.contains { $0.place.id == result.place.id } }
        let names = isUsed ? Set(self.attribution + [attribution]).sorted() : self.attribution
        return GeocodeAnswer(results: kept, attribution: names, isCutShort: self.isCutShort)
    }

    /// Those of the places that fit the query.
    private static func judged(_ places: [Place], _ query: GeocodeQuery, bias: Coordinate?) -> [Result] {
        var scoring = GeocodeScoring(query, bias: bias)
        var byID: [String: Place] = [:]
        func hit(_ name: String, _ candidate: GeocodeCandidate) {
            let key = PlaceKey.key(name)
            let number = scoring.number(of: candidate)
            for span in query.spans.indices {
                if query.spans[span].key == key {
                    scoring.add(GeocodeHit(span: span, candidate: number, isOwn: true))
                } else if let hit = GeocodeHit.fuzzy(key, span: span, of: query, candidate: number, isOwn: true) {
                    scoring.add(hit)
                }
            }
        }
        /// What a place lies in, found by its name; it is no result.
        func area(_ name: String?, _ type: PlaceType, _ within: Place) -> String? {
            guard let name, name != within.name else { return nil }
            let id = "\(type.rawValue):\(PlaceKey.key(name))"
            hit(
                name,
                GeocodeCandidate(id: id, name: name, type: type, coordinate: within.coordinate, importance: 0)
            )
            return id
        }
        for place in places where byID[place.id] == nil {
            byID[place.id] = place
            let candidate = GeocodeCandidate(
                place,
                country: area(place.surroundings.country, .country, place),
                state: area(place.surroundings.state, .state, place),
                parent: area(place.surroundings.city, .city, place)
            )
            hit(place.name, candidate)
            // Many put the number before the street.
            let words = place.name.split(separator: " ")
            if place.type == .house, let number = words.last, words.count > 1 {
                hit("\(number) \(words.dropLast().joined(separator: " "))", candidate)
            }
        }
        return scoring.results(limit: .max).matches.compactMap { match in
            byID[scoring.candidate(match.candidate).id].map { Result(place: $0, match: match) }
        }
    }
}

extension GeocodeCandidate {
    /// A place that is no row of the database, and the ids of what it lies in.
    fileprivate init(_ place: Place, country: String? = nil, state: String? = nil, parent: String? = nil) {
        self.init(
            id: place.id,
            name: place.name,
            type: place.type,
            category: place.category,
            coordinate: place.coordinate,
            importance: PlaceImportance.of(place.type, people: 0),
            country: country,
            state: state,
            parent: parent
        )
    }
}
