/// A session that must still be sent the spots it missed.
struct SpotCatchUp {
    /// The newest spot that the client has.
    let after: SpotID
    /// The radius around the user in metres; nil for everywhere.
    let radius: Double?
    /// The number of the current query; nil when none is under way.
    var query: Int64?
}
