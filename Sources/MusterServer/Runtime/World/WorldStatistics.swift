import MusterCore

/// The world's statistics for `/metrics`, updated once a tick.
struct WorldStatistics: Sendable {
    /// The world's own counters.
    var counters: WorldCounters?
    /// The durations of ticks.
    var ticks = Histogram.seconds
    /// The numbers of inputs in a batch.
    var iterations = Histogram(bounds: [1, 4, 16, 64, 256, 1024, 4096, 16_384])
    /// The number of inputs that were pending when the batch began.
    var mailboxDepth = 0
}
