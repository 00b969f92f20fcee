import Synchronization

/// The counters of a gateway, summed over its shards.
package struct GatewayMetrics: Sendable {
    /// A response that the gateway creates without the application: a file or a refusal.
    package struct OwnAnswer: Hashable, Sendable {
        package let method: HTTPMethod
        package let status: Int
    }

    /// Open WebSocket connections.
    package var connections = 0
    /// Open sockets, WebSocket or HTTP.
    package var sockets = 0
    /// Text frames received.
    package var framesIn = 0
    /// Text frames handed to the kernel.
    package var framesOut = 0
    /// Bytes of WebSocket frames handed to the kernel.
    package var bytesOut = 0
    /// Writes that contained these frames.
    package var writes = 0
    /// HTTP requests with a response.
    package var requests = 0
    /// The requests that were answered without the application.
    package var ownAnswers: [OwnAnswer: Int] = [:]
    /// WebSocket closes by code.
    package var closes: [UInt16: Int] = [:]
    /// Connections refused before the handshake, by reason.
    package var refusals: [RefusalReason: Int] = [:]
    /// Pending commands of each shard.
    package var mailboxDepths: [Int] = []

    /// Creates metrics that are all zero.
    package init() {}
}

/// The counters of one shard, readable from any thread.
final class ShardCounters: Sendable {
    let connections = Atomic<Int>(0)
    let sockets = Atomic<Int>(0)
    let framesIn = Atomic<Int>(0)
    let framesOut = Atomic<Int>(0)
    let bytesOut = Atomic<Int>(0)
    let writes = Atomic<Int>(0)
    let requests = Atomic<Int>(0)
    private let rare = Mutex(Rare())

    private struct Rare {
        var closes: [UInt16: Int] = [:]
        var refusals: [RefusalReason: Int] = [:]
        var ownAnswers: [GatewayMetrics.OwnAnswer: Int] = [:]
    }

    func closed(_ number: UInt16) { self.rare.withLock { $0.closes[number, default: 0] += 1 } }
    func refused(_ reason: RefusalReason) { self.rare.withLock { $0.refusals[reason, default: 0] += 1 } }

    /// Counts a request that the gateway answers without the application.
    func answeredAlone(_ method: HTTPMethod, _ status: Int) {
        let answer = GatewayMetrics.OwnAnswer(method: method, status: status)
        self.rare.withLock { $0.ownAnswers[answer, default: 0] += 1 }
    }

    /// Counts one write.
    func wrote(bytes: Int, frames: Int) {
        self.bytesOut.count(bytes)
        self.framesOut.count(frames)
        self.writes.count(1)
    }

    /// Adds the counters to `metrics`.
    func add(to metrics: inout GatewayMetrics) {
        metrics.connections += self.connections.load(ordering: .relaxed)
        metrics.sockets += self.sockets.load(ordering: .relaxed)
        metrics.framesIn += self.framesIn.load(ordering: .relaxed)
        metrics.framesOut += self.framesOut.load(ordering: .relaxed)
        metrics.bytesOut += self.bytesOut.load(ordering: .relaxed)
        metrics.writes += self.writes.load(ordering: .relaxed)
        metrics.requests += self.requests.load(ordering: .relaxed)
        self.rare.withLock { rare in
            metrics.closes.merge(rare.closes, uniquingKeysWith: +)
            metrics.refusals.merge(rare.refusals, uniquingKeysWith: +)
            metrics.ownAnswers.merge(rare.ownAnswers, uniquingKeysWith: +)
        }
    }
}

extension Atomic<Int> {
    /// Adds to a counter that only the calling thread writes and other threads read.
    ///
    /// With one writer, an atomic addition would only delay later instructions.
    func count(_ number: Int) { self.store(self.load(ordering: .relaxed) &+ number, ordering: .relaxed) }
}
