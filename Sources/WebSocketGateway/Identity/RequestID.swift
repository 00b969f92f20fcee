/// Names one HTTP request until it has been answered.
package struct RequestID: Hashable, Sendable {
    /// The number; never reused.
    package let rawValue: UInt64

    /// Wraps a number that an `IdentityGenerator` made.
    package init(rawValue: UInt64) { self.rawValue = rawValue }

    /// The shard that owns the request.
    package var shard: Int { IdentityGenerator.shard(of: self.rawValue) }
}
