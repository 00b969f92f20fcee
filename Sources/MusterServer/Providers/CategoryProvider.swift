import MusterCore

/// A source of the places of a category around a point.
protocol CategoryProvider: Sendable {
    /// The name of the provider in `sources`, such as `overpass`.
    var name: String { get }

    /// The places of one category. It never fails; the report of the answer states why there are none.
    ///
    /// It answers by the search's deadline at the latest. Searches for several categories may run concurrently.
    func places(_ search: CategorySearch) async -> CategoryAnswer
}
