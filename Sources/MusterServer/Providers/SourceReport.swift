import MusterCore

/// How a source did with one category (PROTOCOL 15, `sources`).
struct SourceReport: Sendable, Equatable, Encodable {
    /// Where an answer is from, or why there is none.
    enum State: String, Sendable, Encodable, CaseIterable {
        /// The database of this server.
        case local
        /// The source, just now.
        case fresh
        /// An answer of the last 24 hours.
        case cached
        /// An older answer, because the source failed.
        case stale
        /// The source did not answer in time.
        case timeout
        /// The source answered with an error, or nothing that can be read.
        case failed
        /// The source failed too often and is not asked for a while.
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
    /// How long it took.
    var ms: Int64
}
