package import MusterCore

/// What people and groups are called instead of by their numbers, where a trace named them.
package struct IdentityNames: Sendable {
    /// The names of people.
    package var users: [UserID: String] = [:]
    /// The names of groups.
    package var groups: [GroupID: String] = [:]

    /// Starts without a name; who has none is called by the number.
    package init() {}
}

extension [UInt8] {
    /// Appends a person's id, or the name that stands for it.
    mutating func append(user: UserID, names: IdentityNames?) {
        if let name = names?.users[user] { self.append(string: name) } else { self.append(id: user) }
    }

    /// Appends a group's id, or the name that stands for it.
    mutating func append(group: GroupID, names: IdentityNames?) {
        if let name = names?.groups[group] { self.append(string: name) } else { self.append(id: group) }
    }
}
