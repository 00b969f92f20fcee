import MusterCore

/// The result of a committed transaction, with the changes that the live state must learn of.
@dynamicMemberLookup
package struct Committed<Value: Sendable>: Sendable {
    /// The result for the caller.
    let value: Value
    /// The changes, in the order in which they apply.
    let changes: [Change]

    /// Creates a result.
    init(_ value: Value, _ changes: [Change]) {
        self.value = value
        self.changes = changes
    }

    package subscript<Member>(dynamicMember path: KeyPath<Value, Member>) -> Member { self.value[keyPath: path] }
}

extension Committed where Value == GroupSnapshot {
    /// A group after a change.
    init(_ group: GroupSnapshot) { self.init(group, [.group(group)]) }
}
