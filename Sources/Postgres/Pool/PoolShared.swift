import EventLoop
import Synchronization

/// The state that a pool's callers and its thread share.
final class PoolShared: Sendable {
    let wake: WakeSignal
    let mailbox: Mailbox<PoolCommand>
    /// The heartbeat of the pool's thread.
    let heartbeat: Heartbeat
    let isHealthy = Atomic(false)
    private let isClosed = Mutex(false)
    private let lastID = Atomic<UInt64>(0)

    init(name: String) {
        let wake = WakeSignal()
        let mailbox = Mailbox<PoolCommand> { wake.raise() }
        self.wake = wake
        self.mailbox = mailbox
        self.heartbeat = Heartbeat(name, hasInput: { mailbox.count > 0 })
    }

    /// Runs statements and waits for their end.
    ///
    /// With `isCancellable`, cancellation of the task ends the wait; the statements may continue to run.
    func run(
        _ statements: [PostgresStatement],
        _ placement: PoolRequest.Placement,
        id: UInt64,
        isCancellable: Bool
    ) async throws(PostgresError) -> [PostgresResult] {
        if isCancellable, Task.isCancelled {
            throw PostgresError(.cancelled, message: "the task was cancelled")
        }
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                self.submit(
                    PoolRequest(id: id, placement: placement, statements: statements, continuation: continuation)
                )
                // The handler below may have run before the request was submitted.
                if isCancellable, Task.isCancelled { self.mailbox.send(.cancel(id)) }
            }
        } onCancel: {
            if isCancellable { self.mailbox.send(.cancel(id)) }
        }
        return try result.get()
    }

    /// Returns a new request id.
    func makeID() -> UInt64 { self.lastID.add(1, ordering: .relaxed).newValue }

    /// Rejects further requests, and tells the thread to end.
    ///
    /// - Returns: false when the pool has already been closed.
    func close(_ continuation: CheckedContinuation<Void, Never>?) -> Bool {
        self.isClosed.withLock { isClosed in
            guard !isClosed else { return false }
            isClosed = true
            self.mailbox.send(.close(continuation))
            return true
        }
    }

    private func submit(_ request: PoolRequest) {
        // Under the lock, so that no request is added after `close`, where it would never be processed.
        let isAccepted = self.isClosed.withLock { isClosed in
            if !isClosed { self.mailbox.send(.submit(request)) }
            return !isClosed
        }
        if !isAccepted {
            request.continuation.resume(
                returning: .failure(PostgresError(.poolClosed, message: "the pool was closed"))
            )
        }
    }
}
