import EventLoop

/// What the processes of a stage used between two moments.
struct UsageMeter {
    /// A moment.
    struct Reading {
        var nanoseconds: Int64
        var server: Int64
        var postgres: Int64
        var ours: Int64
        /// How often a thread of the server gave its processor up to wait.
        var waits: Int64
        var threads: [String: Int64]

        /// What was used since an earlier moment.
        func since(_ start: Reading) -> Reading {
            Reading(
                nanoseconds: self.nanoseconds - start.nanoseconds,
                server: self.server - start.server,
                postgres: self.postgres - start.postgres,
                ours: self.ours - start.ours,
                waits: self.waits - start.waits,
                threads: self.threads.reduce(into: [:]) { used, thread in
                    // One that ended meanwhile and left its name to another counts for nothing.
                    used[thread.key] = max(0, thread.value - start.threads[thread.key, default: 0])
                }
            )
        }

        /// The server's threads and the share of a processor that each took, the busiest first.
        var threadShares: String {
            self.threads.sorted { $0.value > $1.value }.prefix(4)
                .map { "\($0.key) \(Int((Double($0.value) / Double(max(1, self.nanoseconds)) * 100).rounded())) %" }
                .joined(separator: ", ")
        }
    }

    /// The server's process.
    let server: Int32
    /// PostgreSQL's first process; nil when the server has none.
    let postgres: Int32?

    /// Reads the clocks now.
    func read() -> Reading {
        Reading(
            nanoseconds: MonotonicClock.system.nanoseconds,
            server: ProcessUsage.processorNanoseconds(of: self.server),
            postgres: self.postgres.map { ProcessUsage.familyProcessorNanoseconds(of: $0) } ?? 0,
            // 0 stands for oneself.
            ours: ProcessUsage.processorNanoseconds(of: 0),
            waits: ProcessUsage.voluntarySwitches(of: self.server),
            threads: ProcessUsage.threadProcessorNanoseconds(of: self.server)
        )
    }
}
