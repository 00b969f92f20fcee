import WebSocketGateway

/// A destination of commands for the shards of a gateway.
protocol ShardOutlet: Sendable {
    /// The number of shards.
    var shardCount: Int { get }
    /// Posts all of `commands` to one shard, in order, and leaves the array empty with its capacity.
    func send(contentsOf commands: inout [GatewayCommand], toShard shard: Int)
}
