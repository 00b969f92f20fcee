// Answers are counted one after the other, under a lock of the database. The counts reach this node from different
// requests, in any order, but never minutes late.

/// The newest published count of each shared plan, so that no older count follows a newer one.
struct PlanCounts {
    private struct Share: Hashable {
        let plan: PlanID
        let group: GroupID
    }

    /// The minimum number of counts kept before old ones are removed.
    private static let enough = 1_024
    /// The age in microseconds after which no count is published any more.
    private static let memory: Int64 = 60_000_000

    private var latest: [Share: Int64] = [:]
    /// The number of counts at which old ones are removed: twice the number left the last time.
    private var limit = Self.enough

    /// Admits a count if it is the newest of its share.
    ///
    /// - Returns: whether the count may be published.
    mutating func admit(_ change: PlanChange) -> Bool {
        let share = Share(plan: change.plan, group: change.group)
        // A larger difference means that the clock was set back.
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
