import MusterCore

/// The answer of one source for one category.
struct CategoryAnswer: Sendable, Equatable {
    /// Named places within the radius, in no order.
    var places: [ProvidedPlace] = []
    /// The result of the query.
    var source: SourceReport
    /// The attributions to show with the places.
    var attribution: [String] = []
    /// Milliseconds until the next attempt makes sense, if the source failed and states it.
    var retryAfter: Int64?
}
