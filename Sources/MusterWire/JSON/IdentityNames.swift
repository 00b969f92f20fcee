package import MusterCore

/// What people and groups are called instead of by their numbers, where a trace named them.
package struct IdentityNames: Sendable {
    /// The names of people.
    package var users: [UserID: String] = [:]
    /// The names of groups.
    package var groups: [GroupID: String] = [:]

    /// Starts without a name; who has none is called by the number.
    package init() {}

    /// The name of what `value` identifies; nil when it identifies nothing that has one.
    func name(of value: Any) -> String? {
        switch value {
        case let user as UserID: self.users[user]
        case let group as GroupID: self.groups[group]
        default: nil
        }
    }
}
