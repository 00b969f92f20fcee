import EventLoop
import Synchronization

/// Work on a separate thread, with its result.
final class ThreadedWork<Value: Sendable>: Sendable {
    private let thread: WorkerThread
    private let outcome: Outcome

    private final class Outcome: Sendable {
        let result = Mutex<Result<Value, any Error>?>(nil)
    }

    /// Starts the work.
    init(name: String, _ work: @escaping @Sendable () throws -> Value) {
        let outcome = Outcome()
        self.outcome = outcome
        self.thread = WorkerThread(name: name) { outcome.result.withLock { $0 = Result { try work() } } }
    }

    /// Waits for the end and returns the result; called once.
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
