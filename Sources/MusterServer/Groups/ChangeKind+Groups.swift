import MusterCore
import MusterStore

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
            readAgain: { (_, _) async throws(DirectoryError) in },
            compare: { (directory) async throws(DirectoryError) in
                var last: GroupID?
                repeat {
                    let revisions = try await directory.groupRevisions(after: last)
                    world.send(.groupsStored(revisions))
                    last = revisions.last
                } while last != GroupID(Int64.max)
            }
        )
    }
}
