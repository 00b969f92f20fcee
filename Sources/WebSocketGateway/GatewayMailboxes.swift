import EventLoop

/// The mailboxes of a gateway's shards, for calls from other threads.
struct GatewayMailboxes<Message: Sendable>: Sendable {
    let all: [ShardMailbox]

    init(_ mailboxes: [ShardMailbox]) { self.all = mailboxes }

    /// The number of shards.
    package var count: Int { self.all.count }

    /// Posts a command to the shard that owns a connection or request, or that mirrors a topic.
    package func send(_ command: GatewayCommand, toShard shard: Int) {
        self.all[shard].commands.send(command)
    }

    /// Posts all of `commands` to one shard under one lock, and leaves the array empty with its capacity.
    package func send(contentsOf commands: inout [GatewayCommand], toShard shard: Int) {
        self.all[shard].commands.send(contentsOf: &commands)
    }

    /// Delivers a message to the application for a connection of its shard.
    package func deliver(_ message: Message, to id: ConnectionID) {
        self.send(.deliver(id, ApplicationMessage(message)), toShard: id.shard)
    }

    /// Responds to a request.
    package func respond(_ id: RequestID, _ response: HTTPResponse) {
        guard id.shard < self.all.count else { return }
        self.send(.respond(id, response), toShard: id.shard)
    }
}
