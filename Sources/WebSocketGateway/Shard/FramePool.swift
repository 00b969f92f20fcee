/// The memory of a shard's update frames, which are wanted while a turn is written and by nobody afterwards.
///
/// Few buffers for all topics stay in the processor's cache, where one for each topic would not.
struct FramePool {
    /// Memory kept for a frame at most: a long one comes seldom.
    private static let bytesToKeep = 16_384
    private static let framesToKeep = 256

    /// Emptied buffers for the next frames.
    private var unused: [[UInt8]] = []
    /// Channels that have frames of this turn.
    private var borrowers: [TopicChannel] = []

    /// Memory for a frame of `channel`, until `reclaim`.
    mutating func lend(to channel: TopicChannel) -> [UInt8] {
        self.borrowers.append(channel)
        return self.unused.popLast() ?? []
    }

    /// Reclaims what was lent: the turn is written.
    mutating func reclaim() {
        guard !self.borrowers.isEmpty else { return }
        for channel in self.borrowers { channel.dropUpdates(into: &self) }
        self.borrowers.removeAll(keepingCapacity: true)
    }

    /// Keeps a frame's memory for another.
    mutating func keep(_ frame: consuming [UInt8]) {
        guard self.unused.count < Self.framesToKeep, frame.capacity <= Self.bytesToKeep else { return }
        frame.removeAll(keepingCapacity: true)
        self.unused.append(frame)
    }
}

@available(*, unavailable)
extension FramePool: Sendable {}
