import EventLoop

/// Runs blocking code on a new thread, and waits for it without blocking a cooperative thread.
package func onWorkerThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        _ = WorkerThread(name: "blocking test") {
            continuation.resume(with: Result { try body() })
        }
    }
}
