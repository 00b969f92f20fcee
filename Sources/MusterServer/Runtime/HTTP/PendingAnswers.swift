import MusterWire
import Synchronization

/// Requests that wait for an answer of the world or the cluster service.
///
///     let sight = try await sights.answer { world.send(.groupViewRequested($0, group)) }
final class PendingAnswers<Answer: Sendable>: Sendable {
    private typealias Waiter = CheckedContinuation<Result<Answer, FrameError>, Never>

    private struct State {
        var waiting: [Int64: Waiter] = [:]
        var last: Int64 = 0
        var hasEnded = false
    }

    private let limit: Int
    private let timeout: Duration?
    private let failure: FrameError
    private let state = Mutex(State())

    /// Creates a table without waiting requests.
    ///
    /// - Parameters:
    ///   - limit: the maximum number of waiting requests.
    ///   - timeout: the maximum waiting time; nil without a maximum.
    ///   - failure: the error of a request that gets no answer.
    init(limit: Int = .max, timeout: Duration? = nil, failure: FrameError) {
        self.limit = limit
        self.timeout = timeout
        self.failure = failure
    }

    /// Returns the answer to the request that `ask` sends under the given number.
    ///
    /// - Parameters:
    ///   - timeout: the maximum waiting time of this request; nil for that of the table.
    ///   - ask: sends the request.
    /// - Returns: the answer.
    /// - Throws: the error of the answer; `failure` when there is no answer in time, or too many requests wait.
    func answer(within timeout: Duration? = nil, _ ask: (Int64) -> Void) async throws(FrameError) -> Answer {
        let result: Result<Answer, FrameError> = await withCheckedContinuation { continuation in
            let request = self.state.withLock { state -> Int64? in
                guard state.waiting.count < self.limit, !state.hasEnded else { return nil }
                state.last += 1
                state.waiting[state.last] = continuation
                return state.last
            }
            guard let request else { return continuation.resume(returning: .failure(self.failure)) }
            ask(request)
            guard let timeout = timeout ?? self.timeout else { return }
            Task {
                try? await Task.sleep(for: timeout)
                self.resolve(request, nil)
            }
        }
        return try result.get()
    }

    /// Resumes a waiting request; with nil it fails.
    func resolve(_ request: Int64, _ answer: Result<Answer, FrameError>?) {
        let waiter = self.state.withLock { $0.waiting.removeValue(forKey: request) }
        waiter?.resume(returning: answer ?? .failure(self.failure))
    }

    /// Fails all waiting and all later requests, because no more answers arrive.
    func endAll() {
        let waiting = self.state.withLock { state in
            defer { state.waiting = [:] }
            state.hasEnded = true
            return state.waiting.values
        }
        for waiter in waiting { waiter.resume(returning: .failure(self.failure)) }
    }

    /// The number of waiting requests.
    var count: Int { self.state.withLock { $0.waiting.count } }
}
