package import MusterCore

/// The names of users and groups that replace their ids, if a trace contains names.
package struct IdentityNames: Sendable {
    /// The names of users.
    package var users: [UserID: String] = [:]
    /// The names of groups.
    package var groups: [GroupID: String] = [:]

    /// Creates an empty set of names.
    ///
    /// Without a name, the id is written.
    package init() {}

    /// Returns the name for the id `value`; nil when there is none.
    func name(of value: Any) -> String? {
        switch value {
        case let user as UserID: self.users[user]
        case let group as GroupID: self.groups[group]
        default: nil
        }
    }
}
