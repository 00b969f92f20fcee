/// The reason why an external server gave no answer.
enum ProviderFailure: Error, Equatable {
    /// The circuit breaker is open for this many milliseconds.
    case open(retryAfter: Int64)
    /// The server did not answer in time.
    case timeout
    /// The server answered with an error, or with an unreadable answer.
    case failed(retryAfter: Int64?)

    /// The state in a report.
    var state: SourceReport.State {
        switch self {
        case .open: .open
        case .timeout: .timeout
        case .failed: .failed
        }
    }

    /// Milliseconds until the next attempt makes sense, if that is known.
    var retryAfter: Int64? {
        switch self {
        case .open(let retryAfter): retryAfter
        case .timeout: nil
        case .failed(let retryAfter): retryAfter
        }
    }
}

/// The error for an answer in an unexpected form.
struct UnreadableAnswer: Error {}
