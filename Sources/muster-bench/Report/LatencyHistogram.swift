// Log-linear buckets: 128 per power of two, so a value is known to within 0.8 %. Values below 128 ns are exact.
//
//   bucket = (exponent of the value above 7 bits) · 128 + the 7 bits after the leading one

/// A histogram of durations in nanoseconds, with constant memory; adding takes some nanoseconds.
struct LatencyHistogram: Sendable {
    private static let bits = 7
    private var counts = [Int](repeating: 0, count: (64 - bits) << bits)
    /// The number of durations.
    private(set) var count = 0
    /// The longest duration.
    private(set) var longest: Int64 = 0

    /// Adds a duration `repeats` times; a negative one counts as zero.
    mutating func add(_ nanoseconds: Int64, repeats: Int = 1) {
        let value = UInt64(max(0, nanoseconds))
        self.counts[Self.bucket(of: value)] += repeats
        self.count += repeats
        self.longest = max(self.longest, nanoseconds)
    }

    /// The quantile at `share`, in milliseconds; NaN when the histogram is empty.
    func milliseconds(_ share: Double) -> Double {
        guard self.count > 0 else { return .nan }
        let rank = max(1, Int((Double(self.count) * share).rounded(.up)))
        var passed = 0
        for bucket in self.counts.indices {
            passed += self.counts[bucket]
            if passed >= rank { return Double(min(Self.top(of: bucket), self.longest)) / 1e6 }
        }
        return Double(self.longest) / 1e6
    }

    private static func bucket(of value: UInt64) -> Int {
        let width = 64 - value.leadingZeroBitCount
        guard width > Self.bits + 1 else { return Int(value) }
        let shift = width - Self.bits - 1
        return (shift << Self.bits) + Int(value >> UInt64(shift))
    }

    /// The highest value of a bucket.
    private static func top(of bucket: Int) -> Int64 {
        guard bucket >= 2 << Self.bits else { return Int64(bucket) }
        let shift = (bucket >> Self.bits) - 1
        let mantissa = Int64(bucket - (shift << Self.bits))
        return ((mantissa + 1) << Int64(shift)) - 1
    }
}
