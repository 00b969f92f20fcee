/// What one run of a load has seen.
struct FanoutTally {
    /// From a fix's intended send until another member holds that state or a newer one.
    var staleness = LatencyHistogram()
    /// From a fix's intended send until the `ack` that covers it.
    var commitLag = LatencyHistogram()
    /// From a fix's intended send until the load really sent it.
    var lateness = LatencyHistogram()
    /// Newer positions of others that sessions received.
    var positions = 0
    /// Frames that sessions received.
    var frames = 0
    /// Errors that the server answered with.
    var errors = 0
    /// Fixes that an `ack` listed as rejected.
    var rejections = 0
    /// Frames in which the scanner and the real parser disagree, and messages that came twice or out of order.
    var misreadFrames = 0
    /// Fixes that were sent, warm-up included.
    var sent = 0
    /// Pairs of a fix and another member for which that state or a newer one never came.
    var unseen = 0
    /// Fixes that were never acknowledged.
    var unacknowledged = 0
    /// From the last fix's intended send until everybody held everything, in nanoseconds.
    var settleTime: Int64 = 0
    /// Sessions that were ended by the server.
    var dropped = 0
    /// Whether sending was stopped because too much was on its way.
    var isAbandoned = false
    /// The last complaint of the server.
    var lastError = ""
}
