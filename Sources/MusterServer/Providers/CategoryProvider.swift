import MusterCore

/// Somebody who knows the places of a category around a point.
protocol CategoryProvider: Sendable {
    /// What its answers are called in `sources`, such as `overpass`.
    var name: String { get }

    /// The places of one category; never fails, but says in its report why there are none.
    ///
    /// It answers by the search's deadline at the latest. Searches for several categories may be under way beside each other.
    func places(_ search: CategorySearch) async -> CategoryAnswer
}
