/// Limits the rate of a session: an amount a second over time, and a burst.
///
/// The bucket may go into debt by one frame. The session is then not read until the debt is paid.
struct TokenBucket: Equatable {
    // Every session has a bucket, and a `Float` is precise enough for the values that operators choose.
    private let rate: Float
    private let burst: Float
    private var tokens: Double
    private var updatedAt: Int64

    /// Creates a full bucket.
    ///
    /// - Parameters:
    ///   - rate: tokens a second.
    ///   - burst: the maximum number of tokens.
    ///   - now: milliseconds on the clock that all later calls use.
    init(rate: Double, burst: Double, now: Int64) {
        self.rate = Float(rate)
        self.burst = Float(burst)
        self.tokens = burst
        self.updatedAt = now
    }

    /// Spends `count` tokens.
    ///
    /// - Returns: the milliseconds until the debt is paid; 0 when there is none.
    mutating func spend(_ count: Int, now: Int64) -> Int64 {
        let elapsed = Double(max(0, now - self.updatedAt)) / 1000
        self.updatedAt = now
        self.tokens = min(Double(self.burst), self.tokens + elapsed * Double(self.rate)) - Double(count)
        guard self.tokens < 0 else { return 0 }
        return Int64((-self.tokens / Double(self.rate) * 1000).rounded(.up))
    }

    /// Adds `count` tokens, up to the maximum.
    mutating func refund(_ count: Int) { self.tokens = min(Double(self.burst), self.tokens + Double(count)) }

    /// Whether the bucket equals a new one at `now`.
    func isFull(at now: Int64) -> Bool {
        let elapsed = Double(max(0, now - self.updatedAt)) / 1000
        return self.tokens + elapsed * Double(self.rate) >= Double(self.burst)
    }
}
