/// All of a topic, for a shard that gets its first subscriber.
package struct TopicSnapshot: Sendable {
    /// The topic.
    package let id: TopicID
    /// The life of this numbering of versions; another epoch makes every older version meaningless.
    package let epoch: String
    /// The newest version of anything inside.
    package let version: UInt64
    /// Everything that is there, in the order in which frames list it; of a log, its tail.
    package let entries: [TopicEntry]
    /// What is gone, oldest first.
    package let tombstones: [TopicTombstone]
    /// The oldest version from which the snapshot can tell all that came later.
    package let floor: UInt64
    /// The note, when there is one.
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
