/// The revisions that storage holds of groups: of all whose ids lie in a range.
package struct GroupRevisions: Sendable, Equatable, Codable {
    /// One group.
    package struct Stored: Sendable, Equatable, Codable {
        /// Which group.
        package var group: GroupID
        /// Its revision.
        package var revision: Int64

        /// Creates it.
        package init(group: GroupID, revision: Int64) {
            self.group = group
            self.revision = revision
        }
    }

    /// The lowest id and the highest one of the range.
    package var first: GroupID
    package var last: GroupID
    /// The groups of the range that storage holds.
    package var stored: [Stored]

    /// Creates what storage said.
    package init(first: GroupID, last: GroupID, stored: [Stored]) {
        self.first = first
        self.last = last
        self.stored = stored
    }
}

extension World {
    /// Compares the groups that are held with what storage holds: those that differ are read again.
    mutating func compare(_ revisions: GroupRevisions, into effects: inout [WorldEffect]) {
        let stored = Dictionary(uniqueKeysWithValues: revisions.stored.map { ($0.group, $0.revision) })
        for slot in self.groups.indices {
            let group = self.groups.keys[slot]
            guard revisions.first <= group, group <= revisions.last, stored[group] != self.groups[slot].revision else {
                continue
            }
            self.requestLoad(of: group, into: &effects)
        }
    }
}
