import EventLoop
import MusterWire

/// The mailboxes of a shard, for other threads.
final class ShardMailbox: Sendable {
    let wake: WakeSignal
    /// Commands of the application's other threads.
    let commands: Mailbox<GatewayCommand>
    /// Orders of the gateway.
    let orders: Mailbox<ShardOrder>
    /// The heartbeat of the shard's loop, which ticks several times a second.
    let heartbeat: Heartbeat

    init(_ heartbeat: Heartbeat = Heartbeat("gateway")) {
        self.heartbeat = heartbeat
        let wake = WakeSignal()
        self.wake = wake
        self.commands = Mailbox { wake.raise() }
        self.orders = Mailbox { wake.raise() }
    }
}

/// An order from the gateway to a shard.
enum ShardOrder: Sendable {
    /// Adopts an accepted socket.
    case adopt(descriptor: Int32, address: String)
    /// Sends the farewell to all WebSockets, closes them in batches, and calls `done` when none is left.
    case drain(farewell: [UInt8]?, CloseCode, done: @Sendable () -> Void)
    /// Ends the thread.
    case stop
}
