/// The id of a WebSocket connection, unique across restarts.
///
/// Clients see it as their session id.
package struct ConnectionID: Hashable, Sendable {
    /// The number; always fits a positive `Int64`.
    package let rawValue: UInt64

    /// Wraps a number from an `IdentityGenerator`.
    package init(rawValue: UInt64) { self.rawValue = rawValue }

    /// The node of the connection.
    package var node: UInt8 { IdentityGenerator.node(of: self.rawValue) }

    /// The shard of its node that owns the connection.
    package var shard: Int { IdentityGenerator.shard(of: self.rawValue) }
}

extension ConnectionID: IdentityKey {
    /// The number without the node and shard bits, which are equal for all ids of a table.
    ///
    /// Consecutive numbers spread best.
    var scatter: UInt64 { IdentityGenerator.serial(of: self.rawValue) }
}

/// The id of an HTTP request.
package struct RequestID: Hashable, Sendable {
    /// The number; never reused.
    package let rawValue: UInt64

    /// Wraps a number from an `IdentityGenerator`.
    package init(rawValue: UInt64) { self.rawValue = rawValue }

    /// The node of the request.
    package var node: UInt8 { IdentityGenerator.node(of: self.rawValue) }

    /// The shard of its node that owns the request.
    package var shard: Int { IdentityGenerator.shard(of: self.rawValue) }
}
