import MusterCore

/// What the atlas tells `/metrics`, once a tick.
struct AtlasReport: Sendable {
    /// What it holds and has done.
    var atlas: AtlasStatistics?
    /// How long its turns took.
    var turns = Histogram.seconds
    /// How long the work at the ends of turns took together.
    var workSeconds = 0.0
}
