/// A piece of an entry that changes as a whole.
package struct TopicFragment: Hashable, Sendable {
    /// The topic's version when the bytes last changed; 0 for a piece that has never been there.
    package var version: UInt64
    /// The encoded piece; what it looks like is between the encoder and the `TopicFormat`.
    package var bytes: [UInt8]

    /// A piece that has never been there.
    package static let none = TopicFragment(version: 0, bytes: [])

    /// Creates a piece that changed at `version`.
    package init(version: UInt64, bytes: [UInt8]) {
        self.version = version
        self.bytes = bytes
    }
}
