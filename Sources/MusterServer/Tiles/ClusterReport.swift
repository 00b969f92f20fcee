import MusterCore

/// The cluster service's statistics for `/metrics`, updated once a tick.
struct ClusterReport: Sendable {
    /// The cluster service's own counters and sizes.
    var clusters: ClusterStatistics?
    /// The durations of iterations.
    var iterations = Histogram.seconds
    /// The total duration of the work at the ends of iterations, in seconds.
    var workSeconds = 0.0
}
