/// Names one WebSocket connection, uniquely over restarts; clients see it as their session id.
package struct ConnectionID: Hashable, Sendable {
    /// The number; always fits a positive `Int64`.
    package let rawValue: UInt64

    /// Wraps a number that an `IdentityGenerator` made.
    package init(rawValue: UInt64) { self.rawValue = rawValue }

    /// The node that has the connection.
    package var node: UInt8 { IdentityGenerator.node(of: self.rawValue) }

    /// The shard of its node that owns the connection.
    package var shard: Int { IdentityGenerator.shard(of: self.rawValue) }
}

extension ConnectionID: IdentityKey {
    /// The number without node and shard, which all ids in a table share: one more for each id, which spreads best.
    var scatter: UInt64 { IdentityGenerator.serial(of: self.rawValue) }
}

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
