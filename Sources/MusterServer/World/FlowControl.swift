import Synchronization

/// Lets the shards hold back while the world has too much to do, and go on when it has caught up.
final class FlowControl: Sendable {
    /// Inputs that may wait before the shards stop reading their sockets.
    static let highWater = 50_000

    private let isHeld = Atomic(false)

    /// Notes that a shard stopped reading.
    func hold() { self.isHeld.store(true, ordering: .releasing) }

    /// Whether shards wait to go on; asking takes the note back.
    func release() -> Bool { self.isHeld.exchange(false, ordering: .acquiringAndReleasing) }
}
