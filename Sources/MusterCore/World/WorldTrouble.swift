/// A fault of the world's own, which it got over: for the log.
package enum WorldTrouble: Sendable, Equatable, Codable {
    /// A deadline of a subject did not pass, and was put off; `subject` says of what kind it is.
    case stalled(subject: String, number: Int64, deadline: Timestamp)
    /// A group was set aside, or set aside again.
    case setAside(GroupID, GroupSetAside)
    /// A group that was set aside is decided about again.
    case tookUp(GroupID)
}
