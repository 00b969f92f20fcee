/// Names a topic; what the two numbers mean is the application's business.
package struct TopicID: Hashable, Sendable {
    /// A family of topics, such as rosters or tiles.
    package let kind: UInt8
    /// The number within the family.
    package let key: Int64

    /// Creates the name of topic `key` in the family `kind`.
    package init(kind: UInt8, key: Int64) {
        self.kind = kind
        self.key = key
    }
}

extension TopicID: IdentityKey {
    /// The number, with the family in its middle: further down, neighbours in two families would be one.
    var scatter: UInt64 { UInt64(bitPattern: self.key) ^ UInt64(self.kind) << 32 }
}
