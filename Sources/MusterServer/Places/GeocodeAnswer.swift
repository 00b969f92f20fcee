package import MusterCore

/// The answer to a geocoding query.
package struct GeocodeAnswer: Sendable {
    /// A place and how it matched.
    package struct Result: Sendable {
        package let place: Place
        package let match: GeocodeMatch
    }

    /// The results, best first.
    package let results: [Result]
    /// The attribution to show with the results.
    package let attribution: [String]
    /// Whether the fuzzy search ran out of time.
    let isCutShort: Bool
    /// Whether an external server may find more: the query contains a street, or no name matches well.
    let wantsMore: Bool
    /// Sources that were asked and did not answer.
    package var failed: [String] = []

    /// Creates an answer.
    init(results: [Result], attribution: [String], isCutShort: Bool = false, wantsMore: Bool = false) {
        self.results = results
        self.attribution = attribution
        self.isCutShort = isCutShort
        self.wantsMore = wantsMore
    }
}
