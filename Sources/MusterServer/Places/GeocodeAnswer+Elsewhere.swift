import MusterCore
import MusterWire

extension GeocodeAnswer {
    /// Merges places from an external server, scored by the same rules, into one ordered list.
    ///
    /// A place that is already in the answer, or closely resembles one, stays as it is. A place with no name in the
    /// query is appended after all others, in the server's order: the server may know more names than it returns.
    func adding(
        _ places: [Place],
        for request: Geocode,
        attribution: String
    ) -> GeocodeAnswer {
        let query = GeocodeQuery(parts: PlaceKey.parts(request.q))
        let known = Set(self.results.map(\.place.id))
        let found = Self.matched(places.filter { !known.contains($0.id) }, query, bias: request.bias)
        let added = Set((found.named + found.unnamed).map(\.place.id))
        let sorted = (self.results + found.named).sorted { left, right in
            left.match.score != right.match.score
                ? left.match.score > right.match.score : left.place.id < right.place.id
        }
        var kept: [Result] = []
        for result in sorted + found.unnamed where kept.count < request.limit {
            let isRepeat = kept.contains { GeocodeScoring.areAlike(.init($0.place), .init(result.place)) }
            if !isRepeat { kept.append(result) }
        }
        let isUsed = kept.contains { added.contains($0.place.id) }
        let names = isUsed ? Set(self.attribution + [attribution]).sorted() : self.attribution
        return GeocodeAnswer(results: kept, attribution: names, isCutShort: self.isCutShort)
    }

    /// The places that match the query, and those without a matching name, each in order.
    private static func matched(
        _ places: [Place],
        _ query: GeocodeQuery,
        bias: Coordinate?
    ) -> (named: [Result], unnamed: [Result]) {
        var scoring = GeocodeScoring(query, bias: bias)
        var byID: [String: Place] = [:]
        var numbers: [String: Int] = [:]
        func hit(_ name: String, _ candidate: GeocodeCandidate) {
            let key = PlaceKey.key(name)
            let number = scoring.number(of: candidate)
            for span in query.spans.indices {
                if query.spans[span].keys.contains(key) {
                    scoring.add(GeocodeHit(span: span, candidate: number, isOwn: true))
                } else if let hit = GeocodeHit.fuzzy(key, span: span, of: query, candidate: number, isOwn: true) {
                    scoring.add(hit)
                }
            }
        }
        /// A synthetic candidate for an area that contains a place, found by its name; it is not a result.
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
            numbers[place.id] = scoring.number(of: candidate)
            hit(place.name, candidate)
            // In many countries the number precedes the street.
            let words = place.name.split(separator: " ")
            if place.type == .house, let number = words.last, words.count > 1 {
                hit("\(number) \(words.dropLast().joined(separator: " "))", candidate)
            }
        }
        let named = scoring.results(limit: .max).matches.compactMap { match in
            byID[scoring.candidate(match.candidate).id].map { Result(place: $0, match: match) }
        }
        for result in named { numbers[result.place.id] = nil }
        let unnamed = places.compactMap { place in
            numbers.removeValue(forKey: place.id).map { Result(place: place, match: scoring.unnamed($0)) }
        }
        return (named, unnamed)
    }
}

extension GeocodeCandidate {
    /// Creates a candidate for a place without a row in the database, with the ids of the areas that contain it.
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
