import EventLoop
import MusterWire

/// The way into a shard from other threads.
final class ShardDoor: Sendable {
    let wake: WakeSignal
    /// From the application's other threads.
    let commands: Mailbox<GatewayCommand>
    /// From the gateway itself.
    let orders: Mailbox<ShardOrder>
    /// Marks the turns of the shard's loop, of which there are several a second.
    let heartbeat: Heartbeat

    init(_ heartbeat: Heartbeat = Heartbeat("gateway")) {
        self.heartbeat = heartbeat
        let wake = WakeSignal()
        self.wake = wake
        self.commands = Mailbox { wake.raise() }
        self.orders = Mailbox { wake.raise() }
    }
}

/// What the gateway itself asks of a shard.
enum ShardOrder: Sendable {
    /// Takes over an admitted socket.
    case adopt(descriptor: Int32, address: String)
    /// Says farewell to all WebSockets, closes them in batches, and calls `done` when they are gone.
    case drain(farewell: [UInt8]?, CloseCode, done: @Sendable () -> Void)
    /// Ends the thread.
    case stop
}
