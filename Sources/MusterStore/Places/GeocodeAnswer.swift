package import MusterCore

/// What a query was answered with.
package struct GeocodeAnswer: Sendable {
    /// A place and why it was found.
    package struct Result: Sendable {
        package let place: Place
        package let match: GeocodeMatch
    }

    /// The best first.
    package let results: [Result]
    /// Whom to name beside them.
    package let attribution: [String]
    /// Whether there was no time to look for mistakes.
    package let isCutShort: Bool
    /// Whether somebody else may know better: a street is meant, or no name fits well.
    package let wantsMore: Bool
    /// Sources that were asked and did not answer.
    package var failed: [String] = []

    /// Describes an answer.
    package init(results: [Result], attribution: [String], isCutShort: Bool = false, wantsMore: Bool = false) {
        self.results = results
        self.attribution = attribution
        self.isCutShort = isCutShort
        self.wantsMore = wantsMore
    }
}
