import EventLoop
import Synchronization

/// Work on a thread of its own, and what comes of it.
final class ThreadedWork<Value: Sendable>: Sendable {
    private let thread: WorkerThread
    private let outcome: Outcome

    private final class Outcome: Sendable {
        let result = Mutex<Result<Value, any Error>?>(nil)
    }

    /// Begins.
    init(name: String, _ work: @escaping @Sendable () throws -> Value) {
        let outcome = Outcome()
        self.outcome = outcome
        self.thread = WorkerThread(name: name) { outcome.result.withLock { $0 = Result { try work() } } }
    }

    /// Waits for the end; called once.
    ///
    /// Blocks.
    func value() throws -> Value {
        self.thread.join()
        guard let result = self.outcome.result.withLock({ $0 }) else {
            preconditionFailure("a thread ends with a result")
        }
        return try result.get()
    }
}
