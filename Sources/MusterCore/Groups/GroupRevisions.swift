/// The stored revisions of all groups whose ids lie in a range.
package struct GroupRevisions: Sendable, Equatable {
    /// The stored revision of one group.
    package struct Stored: Sendable, Equatable {
        /// The group.
        package var group: GroupID
        /// Its revision.
        package var revision: Int64

        /// Creates it.
        package init(group: GroupID, revision: Int64) {
            self.group = group
            self.revision = revision
        }
    }

    /// The lowest and the highest id of the range.
    package var first: GroupID
    package var last: GroupID
    /// The groups of the range that exist in storage.
    package var stored: [Stored]

    /// Creates the revisions of a range.
    package init(first: GroupID, last: GroupID, stored: [Stored]) {
        self.first = first
        self.last = last
        self.stored = stored
    }
}

extension World {
    /// Compares the loaded groups with storage and reloads those whose revision differs.
    mutating func compare(_ revisions: GroupRevisions) {
        let stored = Dictionary(uniqueKeysWithValues: revisions.stored.map { ($0.group, $0.revision) })
        for slot in self.groups.indices {
            let group = self.groups.keys[slot]
            guard revisions.first <= group, group <= revisions.last, stored[group] != self.groups[slot].revision else {
                continue
            }
            self.requestLoad(of: group)
        }
    }
}
