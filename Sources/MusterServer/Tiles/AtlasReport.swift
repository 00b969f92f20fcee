import MusterCore

/// The atlas's statistics for `/metrics`, updated once a tick.
struct AtlasReport: Sendable {
    /// The atlas's own counters and sizes.
    var atlas: AtlasStatistics?
    /// The durations of iterations.
    var turns = Histogram.seconds
    /// The total duration of the work at the ends of iterations, in seconds.
    var workSeconds = 0.0
}
