import EventLoop
import MusterCore
import OutboundHTTP
import Synchronization

/// Queries external servers and reads their answers, with a circuit breaker for each host.
final class ProviderCalls: Sendable {
    let clock: MonotonicClock
    let statistics: ProviderStatistics
    private let client: OutboundClient
    private let blocking: BlockingPool
    private let store: ProviderStore
    private let logger: Logger
    private let breakers = Mutex<[String: CircuitBreaker]>([:])

    init(
        _ client: OutboundClient,
        blocking: BlockingPool,
        store: ProviderStore,
        statistics: ProviderStatistics,
        clock: MonotonicClock,
        logger: Logger
    ) {
        self.client = client
        self.blocking = blocking
        self.store = store
        self.statistics = statistics
        self.clock = clock
        self.logger = logger
    }

    /// The answer of a server, as `read` decodes it.
    ///
    /// - Throws: the reason why there is no answer.
    func ask<Value: Sendable>(
        _ provider: String,
        _ request: OutboundRequest,
        _ read: @escaping @Sendable (OutboundResponse) throws(UnreadableAnswer) -> Value
    ) async throws(ProviderFailure) -> Value {
        let start = self.clock.nanoseconds
        let result = await self.result(provider, request, read)
        let outcome =
            switch result {
            case .success: "ok"
            case .failure(let failure): failure.state.rawValue
            }
        let seconds = Double(self.clock.nanoseconds - start) / 1e9
        self.statistics.count(ProviderStatistics.Question(provider: provider, outcome: outcome), seconds: seconds)
        return try result.get()
    }

    private func result<Value: Sendable>(
        _ provider: String,
        _ request: OutboundRequest,
        _ read: @escaping @Sendable (OutboundResponse) throws(UnreadableAnswer) -> Value
    ) async -> Result<Value, ProviderFailure> {
        let host = request.url.authority
        let admission = self.breakers.withLock {
            $0[host, default: CircuitBreaker()].admit(now: self.clock.milliseconds)
        }
        if case .refused(let left) = admission { return .failure(.open(retryAfter: left)) }
        let response: OutboundResponse
        do throws(OutboundError) {
            response = try await self.client.send(request)
        } catch {
            switch error.code {
            case .cancelled, .queueTimeout, .busy:
                self.breakers.withLock { $0[host]?.abandon(admission) }
                return .failure(.timeout)
            case .timeout, .unreachable, .forbidden, .tooLarge:
                self.note(provider, host, because: error.code.rawValue) { $0.fail(admission, now: $1, retryAfter: nil) }
                return .failure(error.code == .timeout ? .timeout : .failed(retryAfter: nil))
            }
        }
        guard response.status != 429, response.status < 500 else {
            self.note(provider, host, because: "status_\(response.status)") {
                $0.fail(admission, now: $1, retryAfter: response.retryAfter)
            }
            return .failure(.failed(retryAfter: response.retryAfter))
        }
        // Decoding some megabytes of JSON would block a thread of the cooperative pool for too long.
        let value = await self.blocking.job { Result { () throws(UnreadableAnswer) in try read(response) } }
        switch value {
        case .success(let value):
            self.note(provider, host, because: "") { breaker, _ in breaker.succeed(admission) }
            return .success(value)
        case .failure:
            self.note(provider, host, because: "unreadable") { $0.fail(admission, now: $1, retryAfter: nil) }
            return .failure(.failed(retryAfter: nil))
        case nil:
            self.breakers.withLock { $0[host]?.abandon(admission) }
            return .failure(.failed(retryAfter: nil))
        }
    }

    /// Updates a host's circuit breaker, and reports changes to operators.
    private func note(
        _ provider: String,
        _ host: String,
        because reason: String,
        _ change: (inout CircuitBreaker, Int64) -> CircuitBreaker.Change
    ) {
        let now = self.clock.milliseconds
        let (changed, breaker) = self.breakers.withLock { breakers in
            var breaker = breakers[host] ?? CircuitBreaker()
            defer { breakers[host] = breaker }
            return (change(&breaker, now), breaker)
        }
        self.statistics.note(host, isOpen: breaker.openUntil != nil)
        switch changed {
        case .none: return
        case .opened:
            self.logger.warning(
                "a provider fails repeatedly; requests to it are paused",
                [
                    "provider": .text(provider), "host": .text(host), "reason": .text(reason),
                    "ms": .number((breaker.openUntil ?? now) - now),
                ]
            )
        case .closed:
            self.logger.info("a provider answers again", ["provider": .text(provider), "host": .text(host)])
        }
        self.store.note(
            ProviderHealth(
                provider: provider,
                host: host,
                failures: breaker.failures,
                reason: reason.isEmpty ? nil : reason,
                openFor: breaker.openUntil.map { $0 - now }
            )
        )
    }
}
