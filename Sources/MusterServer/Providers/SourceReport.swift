import MusterCore

/// The result of a query to a source for one category (public/docs/protocol.md#places-and-plans, `sources`).
struct SourceReport: Sendable, Equatable, Encodable {
    /// The origin of an answer, or the reason why there is none.
    enum State: String, Sendable, Encodable, CaseIterable {
        /// The database of this server.
        case local
        /// A new answer of the source.
        case fresh
        /// An answer of the last 24 hours.
        case cached
        /// An older answer, because the source failed.
        case stale
        /// The source did not answer in time.
        case timeout
        /// The source answered with an error, or with an unreadable answer.
        case failed
        /// The source failed too often and receives no requests for a while.
        case open

        /// Whether there is no answer.
        var isFailure: Bool {
            switch self {
            case .local, .fresh, .cached, .stale: false
            case .timeout, .failed, .open: true
            }
        }
    }

    /// The source, such as `overpass`.
    var provider: String
    var category: PlaceCategory
    var state: State
    /// The duration in milliseconds.
    var ms: Int64
}
