/// A session that is to be sent the spots that it missed.
struct SpotCatchUp {
    /// The newest spot that its client holds.
    let after: SpotID
    /// Metres around its person; nil for anywhere.
    let radius: Double?
    /// The reading that storage was asked for last; nil when none is under way.
    var reading: Int64?
}
