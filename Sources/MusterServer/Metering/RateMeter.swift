import MusterWire
import Synchronization

/// Meters what each of many may do: so much a second over time, and a burst at once.
///
/// Kept in memory and bounded; whoever has been quiet for long has a full bucket, which is what a new one is.
final class RateMeter<Subject: Hashable & Sendable>: Sendable {
    private let rate: Double
    private let burst: Double
    private let capacity: Int
    private let buckets = Mutex<[Subject: TokenBucket]>([:])

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
        let wait = self.buckets.withLock { buckets -> Int64 in
            if buckets.count >= self.capacity, buckets[subject] == nil { self.makeRoom(&buckets, now: now) }
            var bucket = buckets[subject] ?? TokenBucket(rate: self.rate, burst: self.burst, now: now)
            let wait = bucket.spend(count, now: now)
            if wait == 0 { buckets[subject] = bucket }
            return wait
        }
        guard wait == 0 else {
            throw FrameError(.rateLimited, message: "That was too much at once; wait a moment.", retryAfter: wait)
        }
    }

    /// Gives back what was charged for something that was refused and changed nothing.
    func refund(_ count: Int, to subject: Subject) {
        self.buckets.withLock { $0[subject]?.refund(count) }
    }

    /// Forgets whoever has a full bucket, which is what a new one is; when nobody has, a tenth of all.
    private func makeRoom(_ buckets: inout [Subject: TokenBucket], now: Int64) {
        buckets = buckets.filter { !$0.value.isFull(at: now) }
        guard buckets.count >= self.capacity else { return }
        for subject in Array(buckets.keys.prefix(max(1, self.capacity / 10))) { buckets[subject] = nil }
    }
}
