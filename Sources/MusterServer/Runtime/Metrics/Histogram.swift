/// Counts values by upper bounds, as Prometheus histograms do.
struct Histogram: Sendable, Equatable {
    /// The upper bounds of the buckets, ascending; values above the last are counted in `count` alone.
    let bounds: [Double]
    /// The number of values in each bucket that are in no lower one.
    private(set) var counts: [Int]
    /// The number of values.
    private(set) var count = 0
    /// The sum of the values.
    private(set) var sum = 0.0

    /// Creates an empty histogram.
    init(bounds: [Double]) {
        self.bounds = bounds
        self.counts = Array(repeating: 0, count: bounds.count)
    }

    /// Buckets for durations in seconds, from 0.1 ms to 5 s.
    static let seconds = Histogram(
        bounds: [0.0001, 0.000_25, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]
    )

    /// Counts one value.
    mutating func observe(_ value: Double) {
        self.count += 1
        self.sum += value
        if let bucket = self.bounds.firstIndex(where: { value <= $0 }) { self.counts[bucket] += 1 }
    }
}
