/// The buffers of a shard's update frames, which are only used during one tick.
///
/// A few shared buffers stay in the processor's cache; one buffer for each topic would not.
struct FramePool {
    /// The maximum size of a buffer that is kept.
    ///
    /// Longer frames are rare.
    private static let bytesToKeep = 16_384
    private static let framesToKeep = 256

    /// Empty buffers for the next frames.
    private var unused: [[UInt8]] = []
    /// The channels with frames of this tick.
    private var borrowers: [TopicChannel] = []

    /// Returns a buffer for a frame of `channel`, valid until `reclaim`.
    mutating func lend(to channel: TopicChannel) -> [UInt8] {
        self.borrowers.append(channel)
        return self.unused.popLast() ?? []
    }

    /// Reclaims all buffers at the end of the tick.
    mutating func reclaim() {
        guard !self.borrowers.isEmpty else { return }
        for channel in self.borrowers { channel.dropUpdates(into: &self) }
        self.borrowers.removeAll(keepingCapacity: true)
    }

    /// Keeps the buffer of a frame for reuse.
    mutating func keep(_ frame: consuming [UInt8]) {
        guard self.unused.count < Self.framesToKeep, frame.capacity <= Self.bytesToKeep else { return }
        frame.removeAll(keepingCapacity: true)
        self.unused.append(frame)
    }
}

@available(*, unavailable)
extension FramePool: Sendable {}
