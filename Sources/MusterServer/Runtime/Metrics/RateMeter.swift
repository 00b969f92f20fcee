import MusterWire
import Synchronization

/// Limits the rate of each of many subjects: an amount a second over time, and a burst.
///
/// Kept in memory, with a bounded size. A subject without recent charges has a full bucket, which equals a new one, and
/// is removed.
final class RateMeter<Subject: Hashable & Sendable>: Sendable {
    private let rate: Double
    private let burst: Double
    private let capacity: Int
    private let state = Mutex(State())

    private struct State {
        var buckets: [Subject: TokenBucket] = [:]
        /// The time of the next search for full buckets; nil while there are none.
        var nextSweep: Int64?
    }

    /// Creates a meter for `rate` a second and a burst of `burst`, which remembers `capacity` subjects.
    init(rate: Double, burst: Double, capacity: Int = 100_000) {
        self.rate = rate
        self.burst = burst
        self.capacity = capacity
    }

    /// Charges `count` to `subject` at `now` (milliseconds).
    ///
    /// - Throws: `rateLimited` when the limit is exceeded; then nothing was charged.
    func charge(_ count: Int, to subject: Subject, now: Int64) throws(FrameError) {
        let wait = self.state.withLock { state -> Int64 in
            self.sweep(&state, now: now)
            if state.buckets.count >= self.capacity, state.buckets[subject] == nil {
                self.makeSpace(&state.buckets, now: now)
            }
            var bucket = state.buckets[subject] ?? TokenBucket(rate: self.rate, burst: self.burst, now: now)
            let wait = bucket.spend(count, now: now)
            if wait == 0 { state.buckets[subject] = bucket }
            return wait
        }
        guard wait == 0 else { throw .tooOften(retryAfter: wait) }
    }

    /// Refunds the charge of a request that was refused and changed nothing.
    func refund(_ count: Int, to subject: Subject) {
        self.state.withLock { $0.buckets[subject]?.refund(count) }
    }

    /// The number of subjects whose bucket is not known to be full.
    var count: Int { self.state.withLock { $0.buckets.count } }

    /// Removes full buckets, at the interval in which an empty one fills.
    private func sweep(_ state: inout State, now: Int64) {
        let time = Int64((self.burst / self.rate * 1000).rounded(.up))
        guard let next = state.nextSweep, next <= now else {
            // A clock that is put back does not postpone the next search.
            state.nextSweep = min(state.nextSweep ?? .max, now + time)
            return
        }
        state.nextSweep = now + time
        state.buckets = state.buckets.filter { !$0.value.isFull(at: now) }
    }

    /// Removes full buckets, which equal new ones; if there are none, a tenth of all buckets.
    private func makeSpace(_ buckets: inout [Subject: TokenBucket], now: Int64) {
        buckets = buckets.filter { !$0.value.isFull(at: now) }
        guard buckets.count >= self.capacity else { return }
        for subject in Array(buckets.keys.prefix(max(1, self.capacity / 10))) { buckets[subject] = nil }
    }
}

extension FrameError {
    /// The error of an exceeded rate limit, with the milliseconds until the next attempt.
    static func tooOften(retryAfter wait: Int64) -> FrameError {
        FrameError(
            .rateLimited,
            message: "Too many requests in a short time; wait before the next one.",
            retryAfter: wait
        )
    }
}
