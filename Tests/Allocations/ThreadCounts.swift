import AllocationCounter

/// Allocations of the threads that a fix passes on its way.
struct ThreadCounts: Codable, Equatable {
    /// Decodes, applies, decides, encodes, joins and writes frames: a shard of the gateway, and the world, in whose place a
    /// shard with little to do takes a turn.
    var gatewayAndWorld: Double
    /// Makes rows and sends them to PostgreSQL.
    var journal: Double

    /// What they have allocated so far.
    static var now: ThreadCounts {
        func allocations(_ thread: String) -> Double { Double(allocation_counts_of_threads(thread).allocations) }
        return ThreadCounts(
            gatewayAndWorld: allocations("muster-gw-0") + allocations("world"),
            journal: allocations("journal")
        )
    }

    /// What was allocated since `start`, for each of `count` operations.
    func since(_ start: ThreadCounts, per count: Int) -> ThreadCounts {
        ThreadCounts(
            gatewayAndWorld: (self.gatewayAndWorld - start.gatewayAndWorld) / Double(count),
            journal: (self.journal - start.journal) / Double(count)
        )
    }

    /// The figures by the threads' names.
    var named: [(name: String, value: Double)] {
        [("gateway and world", self.gatewayAndWorld), ("journal", self.journal)]
    }
}
