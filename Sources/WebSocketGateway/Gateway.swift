package import EventLoop
package import MusterWire

/// A WebSocket and HTTP server that knows connections and topics: libwebsockets, owned and made safe.
package final class Gateway<Application: GatewayApplication>: Sendable {
    /// A command for one shard of this gateway.
    package typealias Command = GatewayCommand<Application.Message>

    /// The port that is listened on.
    package let port: UInt16
    /// The number of shards.
    package let shardCount: Int

    /// Starts listening and serving.
    ///
    /// - Parameters:
    ///   - format: joins topics into frames.
    ///   - log: called from any thread.
    ///   - makeApplication: called once on each shard's thread.
    /// - Throws: when the address, the descriptors, libwebsockets or its libuv plugin are not to be had.
    package init(
        configuration: GatewayConfiguration,
        format: any TopicFormat,
        clock: MonotonicClock = .system,
        log: @escaping @Sendable (GatewayLogEvent) -> Void,
        makeApplication: @escaping @Sendable (any GatewayShard) -> Application
    ) throws(GatewayError) {
        self.port = 0
        self.shardCount = configuration.shards
        throw GatewayError(.contextFailed, message: "being written")
    }

    /// Posts a command to the shard that owns a connection or request, or that mirrors a topic.
    package func send(_ command: Command, toShard shard: Int) { preconditionFailure("being written") }

    /// Posts all of `commands` to one shard under one lock, and leaves the array empty with its capacity.
    package func send(contentsOf commands: inout [Command], toShard shard: Int) {
        preconditionFailure("being written")
    }

    /// Answers a request from any thread.
    package func respond(_ id: RequestID, _ response: HTTPResponse) { preconditionFailure("being written") }

    /// What the gateway has done so far.
    package var metrics: GatewayMetrics { preconditionFailure("being written") }

    /// Refuses new connections with 503 from now on.
    package func beginDraining() { preconditionFailure("being written") }

    /// Ends everything in order: refuses new connections, sends `farewell` to every WebSocket, closes them in batches
    /// with `code`, waits for the writes, and stops the threads.
    ///
    /// Blocks the calling thread, which must not be one of Swift's cooperative pool.
    ///
    /// - Parameter timeout: milliseconds after which the rest is cut off.
    package func shutDown(farewell: [UInt8]?, code: CloseCode, timeout: Int64) { preconditionFailure("being written") }
}
