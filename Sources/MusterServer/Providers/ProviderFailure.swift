/// Why a server elsewhere told nothing.
enum ProviderFailure: Error, Equatable {
    /// It failed too often, and is left alone for so many milliseconds.
    case open(retryAfter: Int64)
    /// It did not answer in time.
    case timeout
    /// It answered with an error, or with what cannot be read.
    case failed(retryAfter: Int64?)

    /// How a report says it.
    var state: SourceReport.State {
        switch self {
        case .open: .open
        case .timeout: .timeout
        case .failed: .failed
        }
    }

    /// Milliseconds after which asking again makes sense, where that is known.
    var retryAfter: Int64? {
        switch self {
        case .open(let retryAfter): retryAfter
        case .timeout: nil
        case .failed(let retryAfter): retryAfter
        }
    }
}

/// Says that an answer is not what the server is asked for.
struct UnreadableAnswer: Error {}
