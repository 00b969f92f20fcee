import EventLoop
import Synchronization

/// Coalesces concurrent requests for the same key: the work runs once, and all callers receive its result.
///
/// A caller whose deadline passes receives nil. The work continues for the others, and for its side effects.
final class SingleFlight<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct State {
        /// The waiting callers of each key whose work is running.
        var waiters: [Key: [UInt64: CheckedContinuation<Value?, Never>]] = [:]
        var lastID: UInt64 = 0
    }

    private let clock: MonotonicClock
    private let state = Mutex(State())

    init(clock: MonotonicClock) { self.clock = clock }

    /// The number of waiting callers.
    var waiterCount: Int { self.state.withLock { $0.waiters.values.reduce(0) { $0 + $1.count } } }

    /// The result of `work`, which starts unless work for the same key is running.
    ///
    /// It is nil when the deadline comes first, or when the task is cancelled.
    func value(
        for key: Key,
        by deadline: Int64,
        _ work: @escaping @Sendable () async -> Value
    ) async -> Value? {
        let id = self.state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        let timeout = Mutex<Task<Void, Never>?>(nil)
        defer { timeout.withLock { $0?.cancel() } }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isFirst = self.state.withLock { state in
                    let isFirst = state.waiters[key] == nil
                    state.waiters[key, default: [:]][id] = continuation
                    return isFirst
                }
                if isFirst { Task { self.finish(key, await work()) } }
                let left = deadline - self.clock.milliseconds
                timeout.withLock {
                    $0 = Task {
                        try? await Task.sleep(for: .milliseconds(max(0, left)))
                        if !Task.isCancelled { self.giveUp(id, key) }
                    }
                }
                if Task.isCancelled { self.giveUp(id, key) }
            }
        } onCancel: {
            self.giveUp(id, key)
        }
    }

    private func finish(_ key: Key, _ value: Value) {
        let waiters = self.state.withLock { $0.waiters.removeValue(forKey: key) }
        for waiter in (waiters ?? [:]).values { waiter.resume(returning: value) }
    }

    private func giveUp(_ id: UInt64, _ key: Key) {
        // The key stays, because the work is running.
        let waiter = self.state.withLock { $0.waiters[key]?.removeValue(forKey: id) }
        waiter?.resume(returning: nil)
    }
}
