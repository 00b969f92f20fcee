import Synchronization
import WebSocketGateway

/// Counts the answers of the route table, by route and never by what a path or query says.
final class HTTPStatistics: Sendable {
    /// One kind of answer.
    struct Answer: Hashable, Sendable {
        let route: String
        let method: HTTPMethod
        let status: Int
    }

    /// What was counted.
    struct Counts: Sendable {
        var answers: [Answer: Int] = [:]
        /// How long the handlers took, by route.
        var seconds: [String: Histogram] = [:]
    }

    private let state = Mutex(Counts())

    /// What was counted so far.
    var counts: Counts { self.state.withLock { $0 } }

    /// Counts one answer.
    func count(route: String, method: HTTPMethod, status: Int, seconds: Double) {
        self.state.withLock { counts in
            counts.answers[Answer(route: route, method: method, status: status), default: 0] += 1
            counts.seconds[route, default: .seconds].observe(seconds)
        }
    }
}
