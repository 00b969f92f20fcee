import Synchronization
import WebSocketGateway

/// Counts the answers of the route table by route, and never by the content of a path or query.
final class HTTPStatistics: Sendable {
    /// One kind of answer.
    struct Answer: Hashable, Sendable {
        let route: String
        let method: HTTPMethod
        let status: Int
    }

    /// The counters.
    struct Counts: Sendable {
        var answers: [Answer: Int] = [:]
        /// The durations of the handlers, by route.
        var seconds: [String: Histogram] = [:]
    }

    private let state = Mutex(Counts())

    /// The counters so far.
    var counts: Counts { self.state.withLock { $0 } }

    /// Counts one answer.
    func count(route: String, method: HTTPMethod, status: Int, seconds: Double) {
        self.state.withLock { counts in
            counts.answers[Answer(route: route, method: method, status: status), default: 0] += 1
            counts.seconds[route, default: .seconds].observe(seconds)
        }
    }
}
