import MusterWire
import Synchronization

/// Meters what each of many may do: so much a second over time, and a burst at once.
///
/// Kept in memory and bounded; whoever has been quiet for long has a full bucket, which is what a new one is.
final class RateMeter<Subject: Hashable & Sendable>: Sendable {
    private static var capacity: Int { 100_000 }

    private let rate: Double
    private let burst: Double
    private let buckets = Mutex<[Subject: TokenBucket]>([:])

    /// Creates a meter for `rate` a second and `burst` at once.
    init(rate: Double, burst: Double) {
        self.rate = rate
        self.burst = burst
    }

    /// Counts `count` for `subject` at `now` (milliseconds).
    ///
    /// - Throws: `rateLimited` when it is too much for now; then nothing was counted.
    func charge(_ count: Int, to subject: Subject, now: Int64) throws(FrameError) {
        let wait = self.buckets.withLock { buckets -> Int64 in
            if buckets.count >= Self.capacity { buckets.removeAll() }
            var bucket = buckets[subject] ?? TokenBucket(rate: self.rate, burst: self.burst, now: now)
            let wait = bucket.spend(count, now: now)
            if wait == 0 { buckets[subject] = bucket }
            return wait
        }
        guard wait == 0 else {
            throw FrameError(.rateLimited, message: "That was too much at once; wait a moment.", retryAfter: wait)
        }
    }
}
