/// What a gateway has done so far, summed over its shards.
package struct GatewayMetrics: Sendable {
    /// A kind of answer that a gateway gives by itself: a file, or a refusal.
    package struct OwnAnswer: Hashable, Sendable {
        package let method: HTTPMethod
        package let status: Int
    }

    /// WebSocket connections that are open.
    package var connections = 0
    /// Sockets that are open, WebSocket or HTTP.
    package var sockets = 0
    /// Text frames received.
    package var framesIn = 0
    /// Text frames handed to the kernel.
    package var framesOut = 0
    /// Bytes of WebSocket frames handed to the kernel.
    package var bytesOut = 0
    /// Writes that carried them.
    package var writes = 0
    /// HTTP requests answered.
    package var requests = 0
    /// Those of them that were answered without the application.
    package var ownAnswers: [OwnAnswer: Int] = [:]
    /// WebSocket closes by code.
    package var closes: [UInt16: Int] = [:]
    /// Connections refused before the handshake, by reason.
    package var refusals: [RefusalReason: Int] = [:]
    /// Commands that wait, for each shard.
    package var mailboxDepths: [Int] = []

    /// Creates metrics of nothing.
    package init() {}
}
