/// The course of a load.
struct LoadPlan {
    /// The reaction to a large backlog.
    enum Backlog {
        /// Continue to the end.
        case endure
        /// Stop sending as soon as the backlog amounts to one second of the rate.
        case abandon
    }

    /// The rate of fixes per second, for all sessions together.
    var rate: Double
    /// The duration of the warm-up in seconds.
    var warmUp: Double
    /// The duration of the measured interval in seconds.
    var seconds: Double
    /// The timeout for the last deliveries, in milliseconds.
    var timeout: Int64 = 30_000
    /// The reaction to a large backlog.
    var backlog = Backlog.endure
}
