import AllocationCounter

/// Allocations of the threads that a fix passes on its way.
struct ThreadCounts: Codable, Equatable {
    /// Decodes, joins and writes frames.
    var gateway: Double
    /// Applies, decides and encodes.
    var world: Double
    /// Makes rows and sends them to PostgreSQL.
    var journal: Double

    /// What they have allocated so far.
    static var now: ThreadCounts {
        func allocations(_ thread: String) -> Double { Double(allocation_counts_of_threads(thread).allocations) }
        return ThreadCounts(
            gateway: allocations("muster-gw-0"),
            world: allocations("world"),
            journal: allocations("journal")
        )
    }

    /// What was allocated since `start`, for each of `count` operations.
    func since(_ start: ThreadCounts, per count: Int) -> ThreadCounts {
        ThreadCounts(
            gateway: (self.gateway - start.gateway) / Double(count),
            world: (self.world - start.world) / Double(count),
            journal: (self.journal - start.journal) / Double(count)
        )
    }

    /// The figures by the thread's name.
    var named: [(name: String, value: Double)] {
        [("gateway", self.gateway), ("world", self.world), ("journal", self.journal)]
    }
}
