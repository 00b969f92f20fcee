// Answers are counted one after the other, behind a lock of the database. What is told of the counts comes from wherever they
// were asked for, in any order, but not minutes later.

/// When answers to plans were last counted of which people were told, so that no older count comes after a newer one.
struct PlanCounts {
    private struct Share: Hashable {
        let plan: PlanID
        let group: GroupID
    }

    /// How many counts are held at least before old ones are forgotten.
    private static let enough = 1_024
    /// Microseconds after which nobody is told of a count any more.
    private static let memory: Int64 = 60_000_000

    private var latest: [Share: Int64] = [:]
    /// With how many counts old ones are forgotten: twice as many as were left the last time.
    private var limit = Self.enough

    /// Lets people be told of a count.
    ///
    /// - Returns: whether they are: it is the newest of its share.
    mutating func admit(_ change: PlanChange) -> Bool {
        let share = Share(plan: change.plan, group: change.group)
        // What is older by more than that comes from a clock that was set back.
        if let known = self.latest[share], known >= change.countedAt, known - change.countedAt < Self.memory {
            return false
        }
        if self.latest.count >= self.limit {
            self.latest = self.latest.filter { abs($0.value - change.countedAt) < Self.memory }
            self.limit = max(Self.enough, 2 * self.latest.count)
        }
        self.latest[share] = change.countedAt
        return true
    }
}
