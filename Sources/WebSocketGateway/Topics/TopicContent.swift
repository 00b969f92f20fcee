// What a topic consists of: entries in two fragments, the tombstones of what is gone, and perhaps a note.

/// One thing in a topic, in two fragments, so that an update carries only the part that changed.
package struct TopicEntry: Hashable, Sendable {
    /// Names the entry within its topic; what the number means is the kind's business.
    package let key: Int64
    /// The part that seldom changes, such as a member's profile, or all of the entry.
    package var stable: TopicFragment
    /// The part that often changes, such as a member's position.
    package var volatile: TopicFragment

    /// The newest version of either part.
    package var version: UInt64 { max(self.stable.version, self.volatile.version) }

    /// Creates an entry.
    package init(key: Int64, stable: TopicFragment, volatile: TopicFragment = .none) {
        self.key = key
        self.stable = stable
        self.volatile = volatile
    }
}

/// A piece of an entry that changes as a whole.
package struct TopicFragment: Hashable, Sendable {
    /// The topic's version when the bytes last changed; 0 for a piece that has never been there.
    package var version: UInt64
    /// The encoded piece; what it looks like is between the encoder and the `TopicKind`.
    package var bytes: [UInt8]

    /// A piece that has never been there.
    package static let none = TopicFragment(version: 0, bytes: [])

    /// Creates a piece that changed at `version`.
    package init(version: UInt64, bytes: [UInt8]) {
        self.version = version
        self.bytes = bytes
    }

    /// Puts another piece in its place.
    mutating func replace(by bytes: [UInt8], at version: UInt64) {
        self.version = version
        // In the same memory where it fits: the old array, which was made on another thread long ago, would else be given
        // back, and to give back memory takes a look at its neighbours.
        if bytes.count <= self.bytes.capacity {
            self.bytes.replaceSubrange(0..<self.bytes.count, with: bytes)
        } else {
            self.bytes = bytes
        }
    }
}

/// Says that an entry was removed, to sessions that may still show it.
package struct TopicTombstone: Hashable, Sendable {
    /// The entry that is gone.
    package let key: Int64
    /// The topic's version at the removal.
    package let version: UInt64

    /// Creates the tombstone of `key`.
    package init(key: Int64, version: UInt64) {
        self.key = key
        self.version = version
    }
}

/// One thing beside a topic's entries that has a frame of its own.
package struct TopicNote: Hashable, Sendable {
    /// The topic's version when the note last changed.
    package let version: UInt64
    /// A complete frame's payload, sent after (or instead of) an update when the note is newer than the session;
    /// empty for none.
    package let frame: [UInt8]
    /// What the frames of the topic embed.
    package let summary: [UInt8]

    /// Creates a note that changed at `version`.
    package init(version: UInt64, frame: [UInt8], summary: [UInt8]) {
        self.version = version
        self.frame = frame
        self.summary = summary
    }
}
