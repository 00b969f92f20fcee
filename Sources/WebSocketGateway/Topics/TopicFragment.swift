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
