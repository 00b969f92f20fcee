import MusterMath

// Each hit (a span that is a name of a place) is scored with the support of the other words:
//
//   coverage = (w(span) + Σ w(context) · t(context)) / w(query)     text = t · coverage²
//
// Context spans name the place's country, state or parent, or (· 0.9) a more important city at most 60 km away whose
// importance is above 0.65. Longer spans come first, and a word counts once. A place keeps the best of its hits. It is
// shown from text ≥ 0.2 on. A city of importance ≥ 0.6 with an exact hit is shown from 0.02 on if the span is a
// complete part or stands at an end: users often write a landmark or street that no gazetteer contains, with its city.
//
//   score = text + 0.4 I          with a bias, d km off:  text + 0.2 I + 0.2 · 2^(−max(0, d − 10) / 100)

/// Orders the places that a query may mean.
package struct GeocodeScoring: Sendable {
    /// The text score from which no search with spelling errors is needed.
    package static let goodText = 0.8
    private static let leastText = 0.2
    private static let leastTextOfCity = 0.02
    private static let leastImportanceOfCity = 0.6
    private static let reachOfCity = 60_000.0
    private static let leastImportanceOfNeighbour = 0.65
    private static let fitOfNeighbour = 0.9
    private static let sameWithin = 20_000.0

    private let query: GeocodeQuery
    private let bias: Coordinate?
    private var candidates: [GeocodeCandidate] = []
    private var numbers: [String: Int] = [:]
    private var hits: [GeocodeHit] = []

    /// The support that exact hits of a span give to other places.
    private struct Context {
        /// The match with the places named by the span, by id.
        var fits: [String: Double] = [:]
        /// The large cities named by the span.
        var cities: [(candidate: Int, fit: Double)] = []
    }

    /// Creates a scoring without hits.
    package init(_ query: GeocodeQuery, bias: Coordinate? = nil) {
        self.query = query
        self.bias = bias
    }

    /// The index of a candidate, which is added if it is new.
    package mutating func number(of candidate: GeocodeCandidate) -> Int {
        if let number = self.numbers[candidate.id] { return number }
        self.numbers[candidate.id] = self.candidates.count
        self.candidates.append(candidate)
        return self.candidates.count - 1
    }

    /// The index of the candidate with an id, if there is one.
    package func number(of id: String) -> Int? { self.numbers[id] }

    /// The candidate at an index.
    package func candidate(_ number: Int) -> GeocodeCandidate { self.candidates[number] }

    /// Adds a hit.
    package mutating func add(_ hit: GeocodeHit) { self.hits.append(hit) }

    /// The indices of the spans that are exact names of a country or a state.
    package var areas: Set<Int> {
        Set(self.hits.filter { $0.spelling == .exact && self.candidates[$0.candidate].type.isArea }.map(\.span))
    }

    /// The matching places, best first, at most `limit` of them; and the best text score, shown or not.
    package func results(limit: Int) -> (matches: [GeocodeMatch], bestText: Double) {
        let contexts = self.contexts()
        let order = contexts.keys.sorted { left, right in
            let (one, other) = (self.query.spans[left], self.query.spans[right])
            return (other.words.count, other.letterCount, left) < (one.words.count, one.letterCount, right)
        }
        var best: [Int: GeocodeMatch] = [:]
        var bestText = 0.0
        for hit in self.uniqueHits() {
            let match = self.match(hit, contexts, order)
            bestText = max(bestText, match.text)
            guard self.isShown(match, hit) else { continue }
            if let known = best[hit.candidate], known.text >= match.text { continue }
            best[hit.candidate] = match
        }
        let sorted = best.values.sorted { left, right in
            left.score != right.score
                ? left.score > right.score : self.candidates[left.candidate].id < self.candidates[right.candidate].id
        }
        return (self.withoutRepeats(sorted, limit: limit), bestText)
    }

    /// The best hit of each place and span.
    private func uniqueHits() -> [GeocodeHit] {
        var places: [Int: Int] = [:]
        var unique: [GeocodeHit] = []
        for hit in self.hits {
            let key = hit.candidate * self.query.spans.count + hit.span
            if let place = places[key] {
                if unique[place].fit < hit.fit { unique[place] = hit }
            } else {
                places[key] = unique.count
                unique.append(hit)
            }
        }
        return unique
    }

    private func contexts() -> [Int: Context] {
        var contexts: [Int: Context] = [:]
        for hit in self.hits where hit.spelling == .exact {
            let candidate = self.candidates[hit.candidate]
            var context = contexts[hit.span] ?? Context()
            context.fits[candidate.id] = max(context.fits[candidate.id] ?? 0, hit.fit)
            if candidate.type == .city, candidate.importance > Self.leastImportanceOfNeighbour {
                context.cities.append((hit.candidate, hit.fit))
            }
            contexts[hit.span] = context
        }
        return contexts
    }

    private func match(_ hit: GeocodeHit, _ contexts: [Int: Context], _ order: [Int]) -> GeocodeMatch {
        let candidate = self.candidates[hit.candidate]
        let span = self.query.spans[hit.span]
        var used = span.mask
        var understood = span.weight
        var speaking: [GeocodeMatch.Context] = []
        for number in order where self.query.spans[number].mask & used == 0 {
            guard let context = contexts[number] else { continue }
            let fit = self.fit(of: context, for: candidate)
            guard fit > 0 else { continue }
            let other = self.query.spans[number]
            used |= other.mask
            understood += other.weight * fit
            speaking.append(GeocodeMatch.Context(key: other.key, fit: fit))
        }
        let coverage = self.query.weight > 0 ? understood / self.query.weight : 0
        let text = hit.fit * coverage * coverage
        let distance = self.bias.map { candidate.coordinate.distance(to: $0) }
        let all = self.query.spans.reduce(0) { $0 | $1.mask }
        let kind: GeocodeMatch.Kind =
            all & ~used & ~self.query.weakMask != 0 ? .partial : hit.spelling == .exact ? .exact : .fuzzy
        return GeocodeMatch(
            candidate: hit.candidate,
            key: span.key,
            fit: hit.fit,
            context: speaking,
            coverage: coverage,
            text: text,
            importance: candidate.importance,
            distance: distance,
            score: Self.score(text: text, importance: candidate.importance, distance: distance),
            kind: kind
        )
    }

    /// The match of a span with an area containing the candidate or a city near it; 0 when there is none.
    private func fit(of context: Context, for candidate: GeocodeCandidate) -> Double {
        var fit = 0.0
        for id in [candidate.country, candidate.state, candidate.parent] {
            if let id, id != candidate.id, let found = context.fits[id] { fit = max(fit, found) }
        }
        for city in context.cities where Self.fitOfNeighbour * city.fit > fit {
            let other = self.candidates[city.candidate]
            if other.importance > candidate.importance, other.id != candidate.id,
                candidate.coordinate.isWithin(Self.reachOfCity, of: other.coordinate)
            {
                fit = Self.fitOfNeighbour * city.fit
            }
        }
        return fit
    }

    private func isShown(_ match: GeocodeMatch, _ hit: GeocodeHit) -> Bool {
        if match.text >= Self.leastText { return true }
        let candidate = self.candidates[hit.candidate]
        let span = self.query.spans[hit.span]
        return match.text >= Self.leastTextOfCity && hit.spelling == .exact && candidate.type == .city
            && candidate.importance >= Self.leastImportanceOfCity && (span.isWholePart || span.isAtEnd)
    }

    private static func score(text: Double, importance: Double, distance: Double?) -> Double {
        guard let distance else { return text + 0.4 * importance }
        return text + 0.2 * importance + 0.2 * powerOfTwo(-max(0, distance / 1000 - 10) / 100)
    }

    /// The match of a candidate from another source, none of whose names is in the query.
    package func unnamed(_ number: Int) -> GeocodeMatch {
        let candidate = self.candidates[number]
        return GeocodeMatch(
            candidate: number,
            key: "",
            fit: 0,
            context: [],
            coverage: 0,
            text: 0,
            importance: candidate.importance,
            distance: self.bias.map { candidate.coordinate.distance(to: $0) },
            score: 0,
            kind: .partial
        )
    }

    /// Whether two places look the same to a user: equal name and type, and close to each other.
    package static func areAlike(_ one: GeocodeCandidate, _ other: GeocodeCandidate) -> Bool {
        one.name == other.name && one.type == other.type && one.category == other.category
            && one.coordinate.isWithin(Self.sameWithin, of: other.coordinate)
    }

    /// Removes places with the name and type of a better one nearby, such as the parts of a street.
    private func withoutRepeats(_ matches: [GeocodeMatch], limit: Int) -> [GeocodeMatch] {
        var kept: [GeocodeMatch] = []
        for match in matches where kept.count < limit {
            let candidate = self.candidates[match.candidate]
            let isRepeat = kept.contains { other in
                Self.areAlike(self.candidates[other.candidate], candidate)
            }
            if !isRepeat { kept.append(match) }
        }
        return kept
    }
}
