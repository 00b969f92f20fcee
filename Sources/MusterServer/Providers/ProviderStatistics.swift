import OutboundHTTP
import Synchronization

/// Counts what is asked of servers elsewhere.
final class ProviderStatistics: Sendable {
    /// What a question came to.
    struct Question: Hashable, Sendable {
        let provider: String
        let outcome: String
    }

    /// Where an answer of a category was found.
    enum Lookup: String, Sendable, CaseIterable {
        case fresh
        case stale
        case missing
    }

    /// All counts.
    struct Counts: Sendable {
        /// Requests by how they ended.
        var requests: [OutboundOutcome: Int] = [:]
        /// How long they took.
        var requestSeconds = Histogram.seconds
        /// How long questions took.
        var questions: [Question: Histogram] = [:]
        /// Look-ups among the answers that are kept.
        var lookups: [Lookup: Int] = [:]
        /// The hosts that were asked, and whether each is left alone now.
        var circuits: [String: Bool] = [:]
    }

    private let state = Mutex(Counts())

    /// All counts, as of now.
    var counts: Counts { self.state.withLock { $0 } }

    /// Counts a request.
    func count(_ outcome: OutboundOutcome, seconds: Double) {
        self.state.withLock { counts in
            counts.requests[outcome, default: 0] += 1
            counts.requestSeconds.observe(seconds)
        }
    }

    /// Counts a question.
    func count(_ question: Question, seconds: Double) {
        self.state.withLock { $0.questions[question, default: .seconds].observe(seconds) }
    }

    /// Counts a look-up.
    func count(_ lookup: Lookup) { self.state.withLock { $0.lookups[lookup, default: 0] += 1 } }

    /// Notes whether a host is left alone.
    func note(_ host: String, isOpen: Bool) { self.state.withLock { $0.circuits[host] = isOpen } }
}
