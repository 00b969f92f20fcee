import MusterCore

extension ChangeKind {
    /// The entry of groups in the table of change kinds.
    ///
    /// No trigger announces a group, because requests of this process report their changes to the world. But another
    /// server may have written to the database while this one had lost it. In that case the world compares the groups
    /// that it holds.
    static func groups(_ world: any WorldLink) -> ChangeKind {
        ChangeKind(
            "group",
            isKnown: { _, _ in true },
            readAgain: { _, _ in },
            compare: { last, directory in
                let revisions = try await directory.groupRevisions(after: last.map { GroupID($0) })
                world.send(.groupsStored(revisions))
                return revisions.last.rawValue == .max ? nil : revisions.last.rawValue
            }
        )
    }
}
