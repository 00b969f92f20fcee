/// The totals of one run.
struct FanoutTally {
    /// From a fix's due time until another member has that state or a newer one.
    var staleness = LatencyHistogram()
    /// From a fix's due time until the `ack` that covers it.
    var commitLag = LatencyHistogram()
    /// From a fix's due time until it was sent.
    var lateness = LatencyHistogram()
    /// The number of newer positions of other members that sessions received.
    var positions = 0
    /// The number of frames that sessions received.
    var frames = 0
    /// The number of error frames.
    var errors = 0
    /// The number of fixes that an `ack` listed as rejected.
    var rejections = 0
    /// The number of frames that the scanner and the real parser read differently, and of duplicated or reordered
    /// messages.
    var misreadFrames = 0
    /// The number of fixes sent, warm-up included.
    var sent = 0
    /// The number of (fix, receiver) pairs for which neither that state nor a newer one ever arrived.
    var unseen = 0
    /// The number of fixes that were never acknowledged.
    var unacknowledged = 0
    /// From the last fix's due time until everything was delivered, in nanoseconds.
    var drainTime: Int64 = 0
    /// The number of sessions that the server closed.
    var dropped = 0
    /// Whether sending was stopped because of a large backlog.
    var isAbandoned = false
    /// The last error of the server.
    var lastError = ""
}
