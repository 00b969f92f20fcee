/// One thing beside a topic's entries that has a frame of its own, such as a group's gathering.
package struct TopicNote: Hashable, Sendable {
    /// The topic's version when the note last changed.
    package let version: UInt64
    /// A complete frame's payload, sent after (or instead of) an update when the note is newer than the session;
    /// empty for none.
    package let frame: [UInt8]
    /// What a full or difference frame embeds.
    package let summary: [UInt8]

    /// Creates a note that changed at `version`.
    package init(version: UInt64, frame: [UInt8], summary: [UInt8]) {
        self.version = version
        self.frame = frame
        self.summary = summary
    }
}
