/// What a shard must know of a kind of topics to keep, pace and share them.
package struct TopicRules: Sendable {
    /// What a mirror keeps of its topic, and so what followers who have fallen behind are told.
    package enum Memory: Sendable {
        /// All entries, and the tombstones of those that are gone, up to 1,024.
        ///
        /// Newcomers, and who has fallen behind the tombstones, start anew with `TopicKind.appendReset`.
        case everything
        /// The newest entries of a log: at most so many, of so many bytes, until so many milliseconds after the last.
        ///
        /// Newcomers start with what comes next; who has fallen behind gets the kind's own word, `TopicKind.appendReset`.
        case tail(entries: Int, bytes: Int, milliseconds: Int64)
    }

    /// When followers are told of a change.
    package enum Pacing: Sendable {
        /// Often-changing parts wait while the topic was written a moment ago, and are told together; all else at once.
        case conflated
        /// At the end of the turn.
        case atOnce
        /// At the end of the turn, or never: the mirror keeps nothing but the last change, whatever its memory.
        case newestOnly
    }

    /// Who may follow a topic.
    package enum Followers: Sendable {
        /// Whom the application subscribes.
        case anyone
        /// Of those, who has an entry in the topic, under the connection's `followerKey`.
        ///
        /// So the change that removes an entry ends what its owner is told, and the one that adds it begins it.
        case entries
    }

    package var memory: Memory
    package var pacing: Pacing
    package var followers: Followers
    /// Whether a follower knows what changes in the often-changing part of the entry under its own key, so that it may wait.
    package var knowsOwnEntry: Bool
    /// Whether topics of one `TopicID.key` that a session is told of in one write share a frame (`TopicKind.appendJoined`).
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

    /// Whether those who have nothing are told what there is.
    var startsWithEverything: Bool {
        switch (self.memory, self.pacing) {
        case (_, .newestOnly), (.tail, _): false
        case (.everything, .conflated), (.everything, .atOnce): true
        }
    }
}
