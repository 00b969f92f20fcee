/// Names a topic; what the two numbers mean is its kind's business.
///
/// Two numbers are as wide as any kind needs: a room is its id, a tile is a layer and, packed into the other, z, x and y.
package struct TopicID: Hashable, Sendable {
    /// The number within the kind, such as a group's, a room's or a layer's.
    package let key: Int64
    /// What else names the topic, such as a tile's place; 0 for nothing.
    package let part: Int64
    /// The number of the kind in `TopicKinds`.
    package let kind: UInt8

    /// Creates the name of topic `key` and `part` of a kind.
    package init(kind: UInt8, key: Int64, part: Int64 = 0) {
        self.key = key
        self.part = part
        self.kind = kind
    }
}

extension TopicID: IdentityKey {
    /// Both numbers and the kind in one.
    ///
    /// The kind is in the middle: further down, neighbours in two kinds would be one. The part is multiplied, for neighbours
    /// among tiles differ in two of its bits and are mostly of one key.
    var scatter: UInt64 {
        UInt64(bitPattern: self.key) ^ UInt64(self.kind) << 32 ^ UInt64(bitPattern: self.part) &* 0xD6E8_FEB8_6659_FD93
    }
}

/// How far a client has come in a topic, as it says itself when it resumes.
package struct TopicPosition: Hashable, Sendable {
    /// The epoch of the version.
    package let epoch: String
    /// The newest version that the client holds.
    package let version: UInt64

    /// Creates a position.
    package init(epoch: String, version: UInt64) {
        self.epoch = epoch
        self.version = version
    }
}

/// What a follower has of a topic, and what it may have of it.
package struct TopicCursor: Hashable, Sendable {
    /// The version up to which it has everything; 0 for nothing.
    package let version: UInt64
    /// The lowest key that it may see.
    package let lowestKey: Int64

    /// Creates a cursor.
    package init(version: UInt64, lowestKey: Int64 = .min) {
        self.version = version
        self.lowestKey = lowestKey
    }
}
