import Synchronization

/// Lets so many tasks do something at once; the others wait, in order.
///
/// It keeps connections to storage free for those who are let in, and for barriers, whatever is asked beside them.
final class ConcurrencyLimit: Sendable {
    private struct State {
        var free: Int
        var lastNumber: UInt64 = 0
        /// Who waits, in order.
        var waiting: [(number: UInt64, continuation: CheckedContinuation<Bool, Never>)] = []
    }

    private let state: Mutex<State>

    /// Has room for `count`.
    init(_ count: Int) { self.state = Mutex(State(free: count)) }

    /// Runs `body` as soon as there is room.
    ///
    /// - Throws: what `body` throws; `CancellationError` when the task is cancelled while it waits.
    func run<Value: Sendable>(_ body: () async throws -> Value) async throws -> Value {
        let number = self.state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
        let hasRoom = await withTaskCancellationHandler {
            await withCheckedContinuation { self.enter(number, $0) }
        } onCancel: {
            self.cancel(number)
        }
        guard hasRoom else { throw CancellationError() }
        defer { self.leave() }
        return try await body()
    }

    private func enter(_ number: UInt64, _ continuation: CheckedContinuation<Bool, Never>) {
        let answer = self.state.withLock { state -> Bool? in
            // The handler of a task that is cancelled already has run before this.
            guard !Task.isCancelled else { return false }
            guard state.free == 0 else {
                state.free -= 1
                return true
            }
            state.waiting.append((number, continuation))
            return nil
        }
        if let answer { continuation.resume(returning: answer) }
    }

    private func cancel(_ number: UInt64) {
        let continuation = self.state.withLock { state -> CheckedContinuation<Bool, Never>? in
            if let index = state.waiting.firstIndex(where: { $0.number == number }) {
                return state.waiting.remove(at: index).continuation
            }
            return nil
        }
        continuation?.resume(returning: false)
    }

    private func leave() {
        let next = self.state.withLock { state -> CheckedContinuation<Bool, Never>? in
            guard !state.waiting.isEmpty else {
                state.free += 1
                return nil
            }
            return state.waiting.removeFirst().continuation
        }
        next?.resume(returning: true)
    }
}
