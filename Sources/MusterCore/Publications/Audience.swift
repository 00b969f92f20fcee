/// Whom a publication is for; the world finds their sessions.
package enum Audience: Sendable, Equatable, Codable {
    /// These people, in a group or not.
    case people([UserID])
    /// The members of a group, but for one of them.
    case group(GroupID, except: UserID?)
}
