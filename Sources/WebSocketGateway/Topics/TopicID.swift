/// The id of a topic.
///
/// The meaning of the two numbers depends on the kind.
///
/// Two numbers are sufficient for every kind: a room uses its id; a tile uses the layer and, packed into `part`, z, x
/// and y.
package struct TopicID: Hashable, Sendable {
    /// The number within the kind, such as the id of a group, a room or a layer.
    package let key: Int64
    /// The second number, such as the packed position of a tile; 0 for none.
    package let part: Int64
    /// The number of the kind in `TopicKinds`.
    package let kind: UInt8

    /// Creates the id of topic `key` and `part` of a kind.
    package init(kind: UInt8, key: Int64, part: Int64 = 0) {
        self.key = key
        self.part = part
        self.kind = kind
    }
}

extension TopicID: IdentityKey {
    /// A hash input of both numbers and the kind.
    ///
    /// The kind is shifted to the middle, because in the low bits, neighbouring keys of two kinds would collide. The
    /// part is multiplied, because neighbouring tiles have the same key and differ in only two bits of the part.
    var scatter: UInt64 {
        UInt64(bitPattern: self.key) ^ UInt64(self.kind) << 32 ^ UInt64(bitPattern: self.part) &* 0xD6E8_FEB8_6659_FD93
    }
}

/// A client's position in a topic, as it states when it resumes.
package struct TopicPosition: Hashable, Sendable {
    /// The epoch of the version.
    package let epoch: String
    /// The newest version that the client has.
    package let version: UInt64

    /// Creates a position.
    package init(epoch: String, version: UInt64) {
        self.epoch = epoch
        self.version = version
    }
}

/// The position of a subscriber in a topic, and its restriction.
package struct TopicCursor: Hashable, Sendable {
    /// The version up to which the subscriber is complete; 0 for nothing.
    package let version: UInt64
    /// The lowest key that the subscriber may see.
    package let lowestKey: Int64

    /// Creates a cursor.
    init(version: UInt64, lowestKey: Int64 = .min) {
        self.version = version
        self.lowestKey = lowestKey
    }
}
