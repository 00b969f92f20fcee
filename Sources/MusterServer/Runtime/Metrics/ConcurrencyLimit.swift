import Synchronization

/// Limits the number of concurrent tasks, in total and for each subject; further tasks wait in order.
///
/// It keeps connections to storage free for the admission of sessions, whatever the other load. A task whose subject
/// has used up its share is overtaken by tasks of other subjects.
final class ConcurrencyLimit<Subject: Hashable & Sendable>: Sendable {
    private struct State {
        var free: Int
        /// The number of running tasks of each subject that has any.
        var running: [Subject: Int] = [:]
        var lastNumber: UInt64 = 0
        /// Waiting tasks, in order.
        var waiting: [(number: UInt64, subject: Subject, continuation: CheckedContinuation<Bool, Never>)] = []

        func hasCapacity(for subject: Subject, share: Int) -> Bool {
            self.free > 0 && self.running[subject, default: 0] < share
        }

        mutating func enter(_ subject: Subject) {
            self.free -= 1
            self.running[subject, default: 0] += 1
        }

        mutating func leave(_ subject: Subject) {
            self.free += 1
            let others = self.running[subject, default: 1] - 1
            self.running[subject] = others > 0 ? others : nil
        }
    }

    private let state: Mutex<State>
    private let share: Int

    /// Creates a limit of `count` tasks in total, and of `share` for each subject.
    init(_ count: Int, share: Int) {
        self.state = Mutex(State(free: count))
        self.share = share
    }

    /// Runs `body` for a subject as soon as there is capacity.
    ///
    /// - Throws: the error of `body`; `CancellationError` when the task is cancelled while it waits.
    func run<Value: Sendable>(for subject: Subject, _ body: () async throws -> Value) async throws -> Value {
        let number = self.state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
        let isAdmitted = await withTaskCancellationHandler {
            await withCheckedContinuation { self.enter(number, subject, $0) }
        } onCancel: {
            self.cancel(number)
        }
        guard isAdmitted else { throw CancellationError() }
        defer { self.leave(subject) }
        return try await body()
    }

    private func enter(_ number: UInt64, _ subject: Subject, _ continuation: CheckedContinuation<Bool, Never>) {
        let answer = self.state.withLock { state -> Bool? in
            // For a task that is already cancelled, the cancellation handler has run before this point.
            guard !Task.isCancelled else { return false }
            guard state.hasCapacity(for: subject, share: self.share) else {
                state.waiting.append((number, subject, continuation))
                return nil
            }
            state.enter(subject)
            return true
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

    /// Frees the capacity for at most one waiting task: the first whose subject has not used up its share.
    private func leave(_ subject: Subject) {
        let next = self.state.withLock { state -> CheckedContinuation<Bool, Never>? in
            state.leave(subject)
            let index = state.waiting.firstIndex { state.hasCapacity(for: $0.subject, share: self.share) }
            guard let index else { return nil }
            let next = state.waiting.remove(at: index)
            state.enter(next.subject)
            return next.continuation
        }
        next?.resume(returning: true)
    }
}
