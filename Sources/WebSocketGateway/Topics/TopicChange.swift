/// What changed in a topic since the last change: one step of versions.
package struct TopicChange: Sendable {
    /// New parts of one entry; a part that is nil is unchanged.
    package struct Entry: Sendable {
        /// The entry; it is added when it was not there.
        package let key: Int64
        /// The new seldom-changing part.
        package let stable: [UInt8]?
        /// The new often-changing part.
        package let volatile: [UInt8]?

        /// Creates the change of one entry.
        package init(key: Int64, stable: [UInt8]? = nil, volatile: [UInt8]? = nil) {
            self.key = key
            self.stable = stable
            self.volatile = volatile
        }
    }

    /// The note's new content.
    package struct Note: Sendable {
        /// A complete frame's payload; empty for none.
        package let frame: [UInt8]
        /// What a full or difference frame embeds.
        package let summary: [UInt8]

        /// Creates a note's new content.
        package init(frame: [UInt8], summary: [UInt8]) {
            self.frame = frame
            self.summary = summary
        }
    }

    /// The topic that changed.
    package let topic: TopicID
    /// The topic's version after the change; everything in the change gets it.
    package let version: UInt64
    /// Entries that were added or changed.
    package var entries: [Entry]
    /// Keys of entries that are gone.
    package var removed: [Int64]
    /// The note's new content; nil for unchanged.
    package var note: Note?

    /// Whether often-changing parts are all that changed.
    var isVolatile: Bool {
        self.removed.isEmpty && self.note == nil && self.entries.allSatisfy { $0.stable == nil }
    }

    /// The one entry whose often-changing part is all that changed; nil when more did.
    var onlyVolatileKey: Int64? {
        self.entries.count == 1 && self.isVolatile ? self.entries[0].key : nil
    }

    /// Creates a change that leads to `version`.
    package init(
        topic: TopicID,
        version: UInt64,
        entries: [Entry] = [],
        removed: [Int64] = [],
        note: Note? = nil
    ) {
        self.topic = topic
        self.version = version
        self.entries = entries
        self.removed = removed
        self.note = note
    }
}
