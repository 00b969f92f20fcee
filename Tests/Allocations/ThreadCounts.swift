import AllocationCounter

/// Allocations of the threads that process a fix.
struct ThreadCounts: Codable, Equatable {
    /// Decoding, applying, deciding, encoding, joining and writing frames.
    ///
    /// This is a gateway shard and the world; a shard with little load runs the world's tick.
    var gatewayAndWorld: Double
    /// Building rows and sending them to PostgreSQL.
    var journal: Double

    /// The allocations so far.
    static var now: ThreadCounts {
        func allocations(_ thread: String) -> Double { Double(allocation_counts_of_threads(thread).allocations) }
        return ThreadCounts(
            gatewayAndWorld: allocations("muster-gw-0") + allocations("world"),
            journal: allocations("journal")
        )
    }

    /// The allocations since `start`, for each of `count` operations.
    func since(_ start: ThreadCounts, per count: Int) -> ThreadCounts {
        ThreadCounts(
            gatewayAndWorld: (self.gatewayAndWorld - start.gatewayAndWorld) / Double(count),
            journal: (self.journal - start.journal) / Double(count)
        )
    }

    /// The figures by thread name.
    var named: [(name: String, value: Double)] {
        [("gateway and world", self.gatewayAndWorld), ("journal", self.journal)]
    }
}
