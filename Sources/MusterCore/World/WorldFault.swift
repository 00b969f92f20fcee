/// A fault of the world from which it recovered, for the log.
package enum WorldFault: Sendable, Equatable {
    /// A deadline made no progress and was postponed; `subject` is its kind.
    case stalled(subject: String, number: Int64, deadline: Timestamp)
    /// A group was suspended, or suspended again.
    case suspension(GroupID, GroupSuspension)
    /// The evaluation of a suspended group resumed.
    case tookUp(GroupID)
}
