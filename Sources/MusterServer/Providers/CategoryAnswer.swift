import MusterCore

/// What one source knows of one category.
struct CategoryAnswer: Sendable, Equatable {
    /// Places within the radius, each of which has a name; in no order.
    var places: [ProvidedPlace] = []
    /// How the source did.
    var source: SourceReport
    /// Whom to name beside the places.
    var attribution: [String] = []
    /// Milliseconds after which asking again makes sense, where the source failed and knows.
    var retryAfter: Int64?
}
