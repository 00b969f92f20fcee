import EventLoop

/// The way into a shard from other threads.
final class ShardDoor: Sendable {
    let wake: WakeSignal
    /// From the application's other threads.
    let commands: Mailbox<GatewayCommand>
    /// From the gateway itself.
    let orders: Mailbox<ShardOrder>

    init() {
        let wake = WakeSignal()
        self.wake = wake
        self.commands = Mailbox { wake.raise() }
        self.orders = Mailbox { wake.raise() }
    }
}
