import EventLoop
import Synchronization

/// A document of a provider that is kept for a while: its discovery document, or its keys.
///
/// One request fetches it for all who wait. A copy that is too old still serves for a day while the provider does not
/// answer. After a failure there is a pause, so that an unreachable provider does not delay every sign-in.
final class ProviderDocument<Value: Sendable>: Sendable {
    /// A fetched value, with the seconds for which the provider lets it be kept.
    typealias Fetched = (value: Value, maxAge: Int64?)

    private struct State {
        var value: Value?
        var freshUntil: Int64 = 0
        var failedAt: Int64?
        var renewedAt: Int64?
    }

    /// The seconds for which a document is kept at least and at most.
    private static var seconds: ClosedRange<Int64> { 300...86_400 }
    /// The seconds for which a document is kept if its provider says nothing.
    private static var usualSeconds: Int64 { 3_600 }
    /// How long an old document serves while there is no new one, in milliseconds.
    private static var staleness: Int64 { 86_400_000 }
    /// The pause after a failure, in milliseconds.
    private static var pause: Int64 { 5_000 }
    /// The least time between two renewals that a token caused, in milliseconds.
    private static var renewalPause: Int64 { 60_000 }

    private let clock: MonotonicClock
    private let flight: SingleFlight<Bool, Result<Value, SignInFailure>>
    private let fetch: @Sendable () async throws(SignInFailure) -> Fetched
    private let state = Mutex(State())

    /// Creates an empty copy.
    init(clock: MonotonicClock, fetch: @escaping @Sendable () async throws(SignInFailure) -> Fetched) {
        self.clock = clock
        self.flight = SingleFlight(clock: clock)
        self.fetch = fetch
    }

    /// Whether there is a copy that serves.
    var isAvailable: Bool {
        let now = self.clock.milliseconds
        return self.state.withLock { $0.value != nil && now <= $0.freshUntil + Self.staleness }
    }

    /// The document.
    ///
    /// - Throws: `unavailable` when there is none.
    func value() async throws(SignInFailure) -> Value {
        let now = self.clock.milliseconds
        let state = self.state.withLock { $0 }
        if let value = state.value, now < state.freshUntil { return value }
        let stale = now <= state.freshUntil + Self.staleness ? state.value : nil
        if let failedAt = state.failedAt, now < failedAt + Self.pause {
            guard let stale else { throw .unavailable("provider_failed_before") }
            return stale
        }
        do {
            return try await self.fetched()
        } catch {
            guard let stale else { throw error }
            return stale
        }
    }

    /// A new copy, for a token that the present one cannot check; nil when it was renewed less than a minute ago.
    func renewed() async throws(SignInFailure) -> Value? {
        let now = self.clock.milliseconds
        let mayRenew = self.state.withLock { state in
            if let last = state.renewedAt, now < last + Self.renewalPause { return false }
            state.renewedAt = now
            return true
        }
        return mayRenew ? try await self.fetched() : nil
    }

    private func fetched() async throws(SignInFailure) -> Value {
        let result = await self.flight.value(for: true, by: self.clock.milliseconds + 30_000) { await self.store() }
        guard let result else { throw .unavailable("provider_timeout") }
        return try result.get()
    }

    private func store() async -> Result<Value, SignInFailure> {
        do throws(SignInFailure) {
            let fetched = try await self.fetch()
            let now = self.clock.milliseconds
            let age = fetched.maxAge ?? Self.usualSeconds
            let kept = min(max(age, Self.seconds.lowerBound), Self.seconds.upperBound) * 1000
            self.state.withLock { state in
                state.value = fetched.value
                state.freshUntil = now + kept
                state.failedAt = nil
            }
            return .success(fetched.value)
        } catch {
            self.state.withLock { $0.failedAt = self.clock.milliseconds }
            return .failure(error)
        }
    }
}
