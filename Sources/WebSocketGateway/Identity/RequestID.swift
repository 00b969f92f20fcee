/// Names one HTTP request until it has been answered.
package struct RequestID: Hashable, Sendable {
    /// The number; never reused.
    package let rawValue: UInt64

    /// Wraps a number that an `IdentityGenerator` made.
    package init(rawValue: UInt64) { self.rawValue = rawValue }

    /// The node that has the request.
    package var node: UInt8 { IdentityGenerator.node(of: self.rawValue) }

    /// The shard of its node that owns the request.
    package var shard: Int { IdentityGenerator.shard(of: self.rawValue) }
}
