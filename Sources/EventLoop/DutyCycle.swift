/// The share of its time that a loop spends on one activity, over the last few samples.
package struct DutyCycle: Sendable {
    private var busy: Int64 = 0
    private var sampledAt: Int64?
    /// The share, from 0 (never) to 1 (always).
    package private(set) var share = 0.0

    /// Creates a cycle without any work.
    package init() {}

    /// Adds `nanoseconds` of work.
    package mutating func add(_ nanoseconds: Int64) { self.busy += nanoseconds }

    /// Mixes the work since the last sample into the share, with a weight of a quarter.
    ///
    /// - Parameter time: now, in nanoseconds, by the clock that the work was measured with.
    package mutating func sample(at time: Int64) {
        defer {
            self.busy = 0
            self.sampledAt = time
        }
        guard let sampledAt = self.sampledAt, time > sampledAt else { return }
        let share = min(1, Double(self.busy) / Double(time - sampledAt))
        self.share += (share - self.share) / 4
    }
}
