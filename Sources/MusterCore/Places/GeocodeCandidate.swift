/// A place that a query may mean, with the facts that scoring needs.
package struct GeocodeCandidate: Sendable {
    /// The id of the place.
    package let id: String
    package let name: String
    package let type: PlaceType
    package let category: PlaceCategory?
    package let coordinate: Coordinate
    /// The importance, from 0 to 1.
    package let importance: Double
    /// The ids of the areas that contain it.
    package let country: String?
    package let state: String?
    package let parent: String?

    /// Creates a candidate.
    package init(
        id: String,
        name: String,
        type: PlaceType,
        category: PlaceCategory? = nil,
        coordinate: Coordinate,
        importance: Double,
        country: String? = nil,
        state: String? = nil,
        parent: String? = nil
    ) {
        self.id = id
        self.name = name
        self.type = type
        self.category = category
        self.coordinate = coordinate
        self.importance = importance
        self.country = country
        self.state = state
        self.parent = parent
    }
}

/// A span of a query that equals or resembles a name of a place.
package struct GeocodeHit: Sendable {
    /// The similarity of the span and the name.
    package enum Spelling: Sendable, Hashable {
        /// The span equals the name or its beginning.
        case exact
        /// The span differs by a number of errors.
        case fuzzy(distance: Int, isFirstLetterOther: Bool)
    }

    /// The index of the span in the query.
    package let span: Int
    /// The index of the place among the candidates.
    package let candidate: Int
    /// Whether the name is the place's primary one, and not an alternative or foreign one.
    package let isOwn: Bool
    /// The similarity of the span and the name.
    let spelling: Spelling

    /// Creates a hit.
    package init(span: Int, candidate: Int, isOwn: Bool, spelling: Spelling = .exact) {
        self.span = span
        self.candidate = candidate
        self.isOwn = isOwn
        self.spelling = spelling
    }

    /// The degree of the match between span and name, from 0 to 1.
    var fit: Double {
        switch self.spelling {
        case .exact: self.isOwn ? 1 : 0.98
        case .fuzzy(let distance, let isFirstLetterOther):
            0.9 - 0.12 * Double(distance - 1) - (isFirstLetterOther ? 0.08 : 0) - (self.isOwn ? 0 : 0.03)
        }
    }

    /// The hit of a name, by its key, that resembles a span; nil when it has too many errors.
    package static func fuzzy(
        _ key: String,
        span number: Int,
        of query: GeocodeQuery,
        candidate: Int,
        isOwn: Bool
    ) -> GeocodeHit? {
        let span = query.spans[number]
        // A different number is a different house, not an error.
        guard span.key.digits == key.digits else { return nil }
        let near = ([span.key] + span.likelyKeys).map { text in
            (distance: MusterCore.Spelling.distance(text, key), letters: text.letterCount)
        }.min { $0.distance < $1.distance }
        guard let near, near.distance > 0, near.distance <= MusterCore.Spelling.tolerance(letters: near.letters) else {
            return nil
        }
        let distance = near.distance
        let isOther = span.key.utf8.first != key.utf8.first
        return GeocodeHit(
            span: number,
            candidate: candidate,
            isOwn: isOwn,
            spelling: .fuzzy(distance: distance, isFirstLetterOther: isOther)
        )
    }
}

extension String {
    /// The digits in a key.
    fileprivate var digits: [UInt8] { self.utf8.filter { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } }
}
