/// A place that may be meant: what scoring must know of it.
package struct GeocodeCandidate: Sendable {
    /// The place.
    package let id: String
    package let name: String
    package let type: PlaceType
    package let category: PlaceCategory?
    package let coordinate: Coordinate
    /// From 0 to 1.
    package let importance: Double
    /// The ids of what it lies in.
    package let country: String?
    package let state: String?
    package let parent: String?

    /// Describes a candidate.
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

/// A span of a query that is, or looks like, a name of a place.
package struct GeocodeHit: Sendable {
    /// How the span is written.
    package enum Spelling: Sendable, Hashable {
        /// As the name, or as its beginning.
        case exact
        /// With so many mistakes.
        case fuzzy(distance: Int, isFirstLetterOther: Bool)
    }

    /// The span's number in the query.
    package let span: Int
    /// The place's number among the candidates.
    package let candidate: Int
    /// Whether the name is the place's own, and not another or a foreign one.
    package let isOwn: Bool
    /// How the span is written.
    package let spelling: Spelling

    /// Describes a hit.
    package init(span: Int, candidate: Int, isOwn: Bool, spelling: Spelling = .exact) {
        self.span = span
        self.candidate = candidate
        self.isOwn = isOwn
        self.spelling = spelling
    }

    /// How well the span fits the name, from 0 to 1.
    var fit: Double {
        switch self.spelling {
        case .exact: self.isOwn ? 1 : 0.98
        case .fuzzy(let distance, let isFirstLetterOther):
            0.9 - 0.12 * Double(distance - 1) - (isFirstLetterOther ? 0.08 : 0) - (self.isOwn ? 0 : 0.03)
        }
    }

    /// A hit of a name, by its key, that looks like the span with a number; nil when it has too many mistakes.
    package static func fuzzy(
        _ key: String,
        span number: Int,
        of query: GeocodeQuery,
        candidate: Int,
        isOwn: Bool
    ) -> GeocodeHit? {
        let span = query.spans[number]
        // Another number is another house, and no mistake.
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
    /// The digits among the letters of a key.
    fileprivate var digits: [UInt8] { self.utf8.filter { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } }
}
