import Synchronization

/// A backpressure gate, which is full while the world has too many pending inputs.
final class IntakeGate: Sendable {
    /// The number of pending inputs above which the shards stop reading their sockets.
    private static let highWater = 50_000

    private let isFull = Atomic(false)

    /// Returns the state of the gate for a number of pending inputs.
    func intake(waiting: Int) -> WorldIntake {
        guard waiting > Self.highWater else { return .open }
        self.isFull.store(true, ordering: .releasing)
        return .full
    }

    /// Opens the gate, and returns whether shards wait to resume reading.
    func reopen() -> Bool { self.isFull.exchange(false, ordering: .acquiringAndReleasing) }
}
