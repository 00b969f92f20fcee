// Answers are counted one after the other, behind a lock of the database. What is told of the counts comes from wherever they
// were asked for, in any order, but not minutes later.

/// When answers to plans were last counted of which people were told, so that no older count comes after a newer one.
struct PlanCounts {
    private struct Share: Hashable {
        let plan: PlanID
        let group: GroupID
    }

    /// How many counts are held before old ones are forgotten.
    private static let enough = 1_024
    /// Microseconds after which nobody is told of a count any more.
    private static let memory: Int64 = 60_000_000

    private var latest: [Share: Int64] = [:]

    /// Lets people be told of a count.
    ///
    /// - Returns: whether they are: it is the newest of its share.
    mutating func admit(_ change: PlanChange) -> Bool {
        let share = Share(plan: change.plan, group: change.group)
        if let known = self.latest[share], known >= change.countedAt { return false }
        if self.latest.count >= Self.enough {
            self.latest = self.latest.filter { $0.value > change.countedAt - Self.memory }
        }
        self.latest[share] = change.countedAt
        return true
    }
}
