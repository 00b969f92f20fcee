import Synchronization

/// Counts the pushes.
final class PushStatistics: Sendable {
    /// All counts.
    struct Counts: Sendable {
        /// Pushes by outcome.
        var outcomes: [String: Int] = [:]
        /// The time from the moment when a push is due to the answer of the push service.
        var delays = Histogram.seconds
        /// The pushes that waited at the last count.
        var pending = 0
    }

    private let state = Mutex(Counts())

    /// All counts so far.
    var counts: Counts { self.state.withLock { $0 } }

    /// Counts the outcome of a look at a push.
    func count(_ outcome: String) { self.state.withLock { $0.outcomes[outcome, default: 0] += 1 } }

    /// Records how late a push was accepted.
    func observe(delay seconds: Double) { self.state.withLock { $0.delays.observe(max(0, seconds)) } }

    /// Records how many pushes wait.
    func note(pending: Int) { self.state.withLock { $0.pending = pending } }
}
