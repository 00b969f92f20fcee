import Synchronization

/// Says that the world has too much to do, until it has caught up.
final class IntakeGate: Sendable {
    /// Inputs that may wait before the shards stop reading their sockets.
    private static let highWater = 50_000

    private let isFull = Atomic(false)

    /// Judges by the number of inputs that wait.
    func intake(waiting: Int) -> WorldIntake {
        guard waiting > Self.highWater else { return .open }
        self.isFull.store(true, ordering: .releasing)
        return .full
    }

    /// Whether shards wait to go on; from now on none does.
    func reopen() -> Bool { self.isFull.exchange(false, ordering: .acquiringAndReleasing) }
}
