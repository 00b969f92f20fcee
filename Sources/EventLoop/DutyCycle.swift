/// The share of its time that a loop spends on one thing, over the last few samples.
package struct DutyCycle: Sendable {
    private var busy: Int64 = 0
    private var sampledAt: Int64?
    /// From 0 for never to 1 for always.
    package private(set) var share = 0.0

    /// Creates the cycle of a loop that has done nothing yet.
    package init() {}

    /// Counts so many nanoseconds of work.
    package mutating func add(_ nanoseconds: Int64) { self.busy += nanoseconds }

    /// Takes what was counted since the last sample into the share, with a weight of a quarter.
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
