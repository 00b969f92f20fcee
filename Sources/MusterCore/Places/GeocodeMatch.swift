/// A place that was found, and why.
package struct GeocodeMatch: Sendable {
    /// How much of the query is understood.
    package enum Kind: String, Sendable, CaseIterable {
        /// All of it.
        case exact
        /// All of it, with mistakes.
        case fuzzy
        /// Only a part.
        case partial
    }

    /// A span that names what the place lies in, or lies near.
    package struct Context: Sendable, Equatable {
        /// The span.
        package let key: String
        /// What it counts, from 0 to 1.
        package let fit: Double

        /// Describes a span.
        package init(key: String, fit: Double) {
            self.key = key
            self.fit = fit
        }
    }

    /// The place's number among the candidates.
    package let candidate: Int
    /// The span that names it.
    package let key: String
    /// How well the span fits the name (t), from 0 to 1.
    package let fit: Double
    /// The other spans that speak for it.
    package let context: [Context]
    /// The share of the query that is understood, from 0 to 1.
    package let coverage: Double
    /// t · coverage².
    package let text: Double
    /// How likely people mean it, from 0 to 1.
    package let importance: Double
    /// Metres from where the one who asks is; nil when nobody knows.
    package let distance: Double?
    /// By which places are ordered.
    package let score: Double
    /// How much of the query is understood.
    package let kind: Kind
}

extension GeocodeMatch {
    /// What is said of a position that is itself the query, so many metres from where the one who asks is.
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
