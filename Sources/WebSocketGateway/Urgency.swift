/// How soon something must be written.
///
/// A write costs far more than the bytes in it, so what nobody waits for goes along with what somebody does.
package enum Urgency: Sendable {
    /// At the end of the turn.
    case now
    /// With whatever is next written to the connection; in one slot of the timer wheel at the latest, or in
    /// half a second when the shard is busy.
    case soon
}
