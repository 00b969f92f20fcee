/// The rules by which a shard keeps, paces and shares the topics of a kind.
package struct TopicRules: Sendable {
    /// The history that a mirror keeps, which decides what subscribers that have fallen behind get.
    package enum Memory: Sendable {
        /// All entries, and the tombstones of removed entries, up to 1,024.
        ///
        /// New subscribers, and those behind the oldest tombstone, start again with `TopicKind.appendReset`.
        case everything
        /// The newest entries of a log, limited by their number, their total bytes, and the milliseconds since the last
        /// entry.
        ///
        /// New subscribers start with the next entry. Subscribers that have fallen behind get `TopicKind.appendReset`.
        case tail(entries: Int, bytes: Int, milliseconds: Int64)
    }

    /// The time at which subscribers get a change.
    package enum Pacing: Sendable {
        /// Changes of volatile parts are throttled and combined. All other changes are sent at the end of the tick.
        case conflated
        /// At the end of the tick.
        case atOnce
        /// At the end of the tick, or never: the mirror keeps only the last change, whatever its memory.
        case newestOnly
    }

    /// The subscribers that receive a topic.
    package enum Followers: Sendable {
        /// All connections that the application subscribes.
        case anyone
        /// Only subscribers with an entry in the topic under the connection's `followerKey`.
        ///
        /// So the removal of an entry ends the updates of its owner, and its addition starts them.
        case entries
    }

    package var memory: Memory
    package var pacing: Pacing
    package var followers: Followers
    /// Whether a subscriber already knows the volatile part of the entry under its own key, so that such a change is
    /// not urgent.
    package var knowsOwnEntry: Bool
    /// Whether topics of one `TopicID.key` that are sent in one write share a frame (`TopicKind.appendJoined`).
    package var joinsTopics: Bool

    /// Creates the rules of a kind.
    package init(
        memory: Memory = .everything,
        pacing: Pacing = .conflated,
        followers: Followers = .anyone,
        knowsOwnEntry: Bool = false,
        joinsTopics: Bool = false
    ) {
        self.memory = memory
        self.pacing = pacing
        self.followers = followers
        self.knowsOwnEntry = knowsOwnEntry
        self.joinsTopics = joinsTopics
    }

    /// Whether a subscriber without any version gets the whole topic.
    var startsWithEverything: Bool {
        switch (self.memory, self.pacing) {
        case (_, .newestOnly), (.tail, _): false
        case (.everything, .conflated), (.everything, .atOnce): true
        }
    }
}
