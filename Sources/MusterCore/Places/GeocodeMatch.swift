/// A place that was found, with the reasons.
package struct GeocodeMatch: Sendable {
    /// The part of the query that is understood.
    package enum Kind: String, Sendable, CaseIterable {
        /// All of it.
        case exact
        /// All of it, with spelling errors.
        case fuzzy
        /// Only a part of it.
        case partial
    }

    /// A span that names an area containing the place, or a city near it.
    package struct Context: Sendable, Equatable {
        /// The key of the span.
        package let key: String
        /// Its contribution, from 0 to 1.
        package let fit: Double

        /// Creates a span.
        package init(key: String, fit: Double) {
            self.key = key
            self.fit = fit
        }
    }

    /// The index of the place among the candidates.
    package let candidate: Int
    /// The key of the span that names it.
    package let key: String
    /// The degree of the match between span and name (t), from 0 to 1.
    package let fit: Double
    /// The other spans that support it.
    package let context: [Context]
    /// The share of the query that is understood, from 0 to 1.
    package let coverage: Double
    /// t · coverage².
    package let text: Double
    /// The importance of the place, from 0 to 1.
    package let importance: Double
    /// The distance in metres from the user; nil when the user's position is unknown.
    package let distance: Double?
    /// The score by which places are ordered.
    package let score: Double
    /// The part of the query that is understood.
    package let kind: Kind
}

extension GeocodeMatch {
    /// Creates the match of a query that is itself a position, at a distance in metres from the user.
    package init(position distance: Double?) {
        self.init(
            candidate: 0,
            key: "",
            fit: 1,
            context: [],
            coverage: 1,
            text: 1,
            importance: 0,
            distance: distance,
            score: 1,
            kind: .exact
        )
    }
}
