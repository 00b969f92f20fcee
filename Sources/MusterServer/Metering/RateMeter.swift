import MusterWire
import Synchronization

/// Meters what each of many may do: so much a second over time, and a burst at once.
///
/// Kept in memory and bounded; whoever has been quiet for long has a full bucket, which is what a new one is, and is forgotten.
final class RateMeter<Subject: Hashable & Sendable>: Sendable {
    private let rate: Double
    private let burst: Double
    private let capacity: Int
    private let state = Mutex(State())

    private struct State {
        var buckets: [Subject: TokenBucket] = [:]
        /// When buckets that are full again are looked for next; nil while there are none.
        var nextSweep: Int64?
    }

    /// Creates a meter for `rate` a second and `burst` at once, which remembers `capacity` of those who are metered.
    init(rate: Double, burst: Double, capacity: Int = 100_000) {
        self.rate = rate
        self.burst = burst
        self.capacity = capacity
    }

    /// Counts `count` for `subject` at `now` (milliseconds).
    ///
    /// - Throws: `rateLimited` when it is too much for now; then nothing was counted.
    func charge(_ count: Int, to subject: Subject, now: Int64) throws(FrameError) {
        let wait = self.state.withLock { state -> Int64 in
            self.sweep(&state, now: now)
            if state.buckets.count >= self.capacity, state.buckets[subject] == nil {
                self.makeRoom(&state.buckets, now: now)
            }
            var bucket = state.buckets[subject] ?? TokenBucket(rate: self.rate, burst: self.burst, now: now)
            let wait = bucket.spend(count, now: now)
            if wait == 0 { state.buckets[subject] = bucket }
            return wait
        }
        guard wait == 0 else { throw .tooOften(retryAfter: wait) }
    }

    /// Gives back what was charged for something that was refused and changed nothing.
    func refund(_ count: Int, to subject: Subject) {
        self.state.withLock { $0.buckets[subject]?.refund(count) }
    }

    /// How many have a bucket that is not known to be full.
    var count: Int { self.state.withLock { $0.buckets.count } }

    /// Forgets full buckets, as often as an empty one is filled.
    private func sweep(_ state: inout State, now: Int64) {
        let time = Int64((self.burst / self.rate * 1000).rounded(.up))
        guard let next = state.nextSweep, next <= now else {
            // A clock that is put back lets nobody be kept for longer.
            state.nextSweep = min(state.nextSweep ?? .max, now + time)
            return
        }
        state.nextSweep = now + time
        state.buckets = state.buckets.filter { !$0.value.isFull(at: now) }
    }

    /// Forgets whoever has a full bucket, which is what a new one is; when nobody has, a tenth of all.
    private func makeRoom(_ buckets: inout [Subject: TokenBucket], now: Int64) {
        buckets = buckets.filter { !$0.value.isFull(at: now) }
        guard buckets.count >= self.capacity else { return }
        for subject in Array(buckets.keys.prefix(max(1, self.capacity / 10))) { buckets[subject] = nil }
    }
}

extension FrameError {
    /// Somebody does something too often, and may do it again in so many milliseconds.
    static func tooOften(retryAfter wait: Int64) -> FrameError {
        FrameError(.rateLimited, message: "That was too much at once; wait a moment.", retryAfter: wait)
    }
}
