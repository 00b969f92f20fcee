import MusterWire

/// What the gateway itself asks of a shard.
enum ShardOrder: Sendable {
    /// Takes over an admitted socket.
    case adopt(descriptor: Int32, address: String)
    /// Says farewell to all WebSockets, closes them in batches, and calls `done` when they are gone.
    case drain(farewell: [UInt8]?, CloseCode, done: @Sendable () -> Void)
    /// Ends the thread.
    case stop
}
