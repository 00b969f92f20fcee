import EventLoop

/// Measures the resource usage of a fixture's processes between two readings.
struct UsageMeter {
    /// The counters at one time.
    struct Sample {
        var nanoseconds: Int64
        var server: Int64
        var postgres: Int64
        var ours: Int64
        /// The number of voluntary context switches of the server's threads.
        var waits: Int64
        var threads: [String: Int64]

        /// The usage since an earlier reading.
        func since(_ start: Sample) -> Sample {
            Sample(
                nanoseconds: self.nanoseconds - start.nanoseconds,
                server: self.server - start.server,
                postgres: self.postgres - start.postgres,
                ours: self.ours - start.ours,
                waits: self.waits - start.waits,
                threads: self.threads.reduce(into: [:]) { used, thread in
                    // A thread may have ended and another one taken its name; then it counts as zero.
                    used[thread.key] = max(0, thread.value - start.threads[thread.key, default: 0])
                }
            )
        }

        /// The busiest threads of the server with their shares of a processor.
        var threadShares: String {
            self.threads.sorted { $0.value > $1.value }.prefix(4)
                .map { "\($0.key) \(Int((Double($0.value) / Double(max(1, self.nanoseconds)) * 100).rounded())) %" }
                .joined(separator: ", ")
        }
    }

    /// The server's process id.
    let server: Int32
    /// The postmaster's process id; nil without PostgreSQL.
    let postgres: Int32?

    /// Reads the counters.
    func read() -> Sample {
        Sample(
            nanoseconds: MonotonicClock.system.nanoseconds,
            server: ProcessUsage.processorNanoseconds(of: self.server),
            postgres: self.postgres.map { ProcessUsage.familyProcessorNanoseconds(of: $0) } ?? 0,
            // 0 is the current process.
            ours: ProcessUsage.processorNanoseconds(of: 0),
            waits: ProcessUsage.voluntarySwitches(of: self.server),
            threads: ProcessUsage.threadProcessorNanoseconds(of: self.server)
        )
    }
}
