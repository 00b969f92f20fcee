/// A change of a topic: one version step.
package struct TopicChange: Sendable {
    /// The new parts of one entry; nil for an unchanged part.
    package struct Entry: Sendable {
        /// The entry's key.
        ///
        /// The entry is added if it does not exist.
        package let key: Int64
        /// The new stable part.
        package let stable: [UInt8]?
        /// The new volatile part.
        package let volatile: [UInt8]?

        /// Creates the change of one entry.
        package init(key: Int64, stable: [UInt8]? = nil, volatile: [UInt8]? = nil) {
            self.key = key
            self.stable = stable
            self.volatile = volatile
        }
    }

    /// The new content of the note.
    package struct Note: Sendable {
        /// The payload of a complete frame; empty for none.
        package let frame: [UInt8]
        /// The form that is embedded in full and difference frames.
        package let summary: [UInt8]

        /// Creates the content of a note.
        package init(frame: [UInt8], summary: [UInt8]) {
            self.frame = frame
            self.summary = summary
        }
    }

    /// The topic that changed.
    package let topic: TopicID
    /// The topic's version after the change, and the version of everything in the change.
    package let version: UInt64
    /// The added and changed entries.
    package var entries: [Entry]
    /// The keys of removed entries.
    package var removed: [Int64]
    /// The new content of the note; nil if unchanged.
    package var note: Note?

    /// Whether only volatile parts changed.
    var isVolatile: Bool {
        self.removed.isEmpty && self.note == nil && self.entries.allSatisfy { $0.stable == nil }
    }

    /// The key of the entry if the change is only its volatile part; nil otherwise.
    var onlyVolatileKey: Int64? {
        self.entries.count == 1 && self.isVolatile ? self.entries[0].key : nil
    }

    /// Creates a change to `version`.
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
