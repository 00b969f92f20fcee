import Synchronization

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

/// What a shard counts, readable from any thread.
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

    /// Notes a request that the gateway answers without the application.
    func answeredAlone(_ method: HTTPMethod, _ status: Int) {
        let answer = GatewayMetrics.OwnAnswer(method: method, status: status)
        self.rare.withLock { $0.ownAnswers[answer, default: 0] += 1 }
    }

    /// Notes one write.
    func wrote(bytes: Int, frames: Int) {
        self.bytesOut.count(bytes)
        self.framesOut.count(frames)
        self.writes.count(1)
    }

    /// Adds what was counted to `metrics`.
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
    /// Adds to what the calling thread alone counts, and others read.
    ///
    /// An atomic addition would hold up what comes behind it, for nobody's sake.
    func count(_ number: Int) { self.store(self.load(ordering: .relaxed) &+ number, ordering: .relaxed) }
}
