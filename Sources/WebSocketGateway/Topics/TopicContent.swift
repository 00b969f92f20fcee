// The content of a topic: entries in two fragments, tombstones of removed entries, and an optional note.

/// An entry of a topic, in two fragments, so that an update contains only the changed part.
package struct TopicEntry: Hashable, Sendable {
    /// The key of the entry within its topic.
    ///
    /// Its meaning depends on the kind.
    package let key: Int64
    /// The part that seldom changes, such as a member's profile, or the whole entry.
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

/// A part of an entry that changes as a whole.
package struct TopicFragment: Hashable, Sendable {
    /// The topic's version when the bytes last changed; 0 for a part that has never existed.
    package var version: UInt64
    /// The encoded part.
    ///
    /// Its format is a contract between the encoder and the `TopicKind`.
    package var bytes: [UInt8]

    /// A part that has never existed.
    package static let none = TopicFragment(version: 0, bytes: [])

    /// Creates a part that changed at `version`.
    package init(version: UInt64, bytes: [UInt8]) {
        self.version = version
        self.bytes = bytes
    }

    /// Replaces the bytes and the version.
    mutating func replace(by bytes: [UInt8], at version: UInt64) {
        self.version = version
        // Reuses the old buffer if the bytes fit. Otherwise the old array, allocated long ago on another thread, would
        // be freed, which accesses the neighbouring memory.
        if bytes.count <= self.bytes.capacity {
            self.bytes.replaceSubrange(0..<self.bytes.count, with: bytes)
        } else {
            self.bytes = bytes
        }
    }
}

/// A record of a removed entry, for clients that may still show it.
package struct TopicTombstone: Hashable, Sendable {
    /// The key of the removed entry.
    package let key: Int64
    /// The topic's version at the removal.
    package let version: UInt64

    /// Creates the tombstone of `key`.
    package init(key: Int64, version: UInt64) {
        self.key = key
        self.version = version
    }
}

/// The note of a topic: content outside the entries with a frame of its own.
package struct TopicNote: Hashable, Sendable {
    /// The topic's version when the note last changed.
    package let version: UInt64
    /// The payload of a complete frame; empty for none.
    ///
    /// It is sent after (or instead of) an update if the note is newer than the subscriber's version.
    package let frame: [UInt8]
    /// The form that is embedded in the topic's frames.
    package let summary: [UInt8]

    /// Creates a note that changed at `version`.
    package init(version: UInt64, frame: [UInt8], summary: [UInt8]) {
        self.version = version
        self.frame = frame
        self.summary = summary
    }
}
