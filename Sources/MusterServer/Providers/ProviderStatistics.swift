import OutboundHTTP
import Synchronization

/// Counts the queries to external servers.
final class ProviderStatistics: Sendable {
    /// A provider and the outcome of a query.
    struct Question: Hashable, Sendable {
        let provider: String
        let outcome: String
    }

    /// The result of a lookup of a category in the cached answers.
    enum Lookup: String, Sendable, CaseIterable {
        case fresh
        case stale
        case missing
    }

    /// All counts.
    struct Counts: Sendable {
        /// Requests by outcome.
        var requests: [OutboundOutcome: Int] = [:]
        /// The durations of requests.
        var requestSeconds = Histogram.seconds
        /// The durations of queries.
        var questions: [Question: Histogram] = [:]
        /// Lookups in the cached answers.
        var lookups: [Lookup: Int] = [:]
        /// The hosts that were queried, and whether the circuit breaker of each is open.
        var circuits: [String: Bool] = [:]
    }

    private let state = Mutex(Counts())

    /// All counts so far.
    var counts: Counts { self.state.withLock { $0 } }

    /// Counts a request.
    func count(_ outcome: OutboundOutcome, seconds: Double) {
        self.state.withLock { counts in
            counts.requests[outcome, default: 0] += 1
            counts.requestSeconds.observe(seconds)
        }
    }

    /// Counts a query.
    func count(_ question: Question, seconds: Double) {
        self.state.withLock { $0.questions[question, default: .seconds].observe(seconds) }
    }

    /// Counts a lookup.
    func count(_ lookup: Lookup) { self.state.withLock { $0.lookups[lookup, default: 0] += 1 } }

    /// Records whether the circuit breaker of a host is open.
    func note(_ host: String, isOpen: Bool) { self.state.withLock { $0.circuits[host] = isOpen } }
}
