/// The whole content of a topic, for a shard that gets its first subscriber.
package struct TopicSnapshot: Sendable {
    /// The topic.
    package let id: TopicID
    /// The epoch of the version numbers.
    ///
    /// Versions of another epoch are not comparable.
    package let epoch: String
    /// The newest version of all content.
    package let version: UInt64
    /// The current entries in the order of frames; for a log, its tail.
    package let entries: [TopicEntry]
    /// The tombstones, oldest first.
    package let tombstones: [TopicTombstone]
    /// The oldest version from which the snapshot can send all later changes.
    package let floor: UInt64
    /// The note; nil when there is none.
    package let note: TopicNote?

    /// Creates a snapshot.
    package init(
        id: TopicID,
        epoch: String,
        version: UInt64,
        entries: [TopicEntry],
        tombstones: [TopicTombstone] = [],
        floor: UInt64 = 0,
        note: TopicNote? = nil
    ) {
        self.id = id
        self.epoch = epoch
        self.version = version
        self.entries = entries
        self.tombstones = tombstones
        self.floor = floor
        self.note = note
    }
}
