/// How a load goes on.
struct LoadPlan {
    /// What to do when far more is under way than a rate that is held would leave.
    enum Backlog {
        /// Go on to the end.
        case endure
        /// Stop sending as soon as what is under way amounts to a second of the rate.
        case abandon
    }

    /// Fixes a second, of all sessions together.
    var rate: Double
    /// How long to send before anything counts, in seconds.
    var warmUp: Double
    /// How long to send while it counts, in seconds.
    var seconds: Double
    /// How long to wait at the end until everything has come, in milliseconds.
    var patience: Int64 = 30_000
    /// What to do when the server or the load falls behind.
    var backlog = Backlog.endure
}
