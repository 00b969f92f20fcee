import MusterCore

/// What the world tells `/metrics`, once a tick.
struct WorldStatistics: Sendable {
    /// The world's own counters.
    var counters: WorldCounters?
    /// How long ticks took.
    var ticks = Histogram.seconds
    /// How many inputs a turn took in.
    var turns = Histogram(bounds: [1, 4, 16, 64, 256, 1024, 4096, 16_384])
    /// Inputs that waited when the turn began.
    var mailboxDepth = 0
}
