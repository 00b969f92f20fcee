import Synchronization

// A bounded queue between a producer and a reader that never block each other.
//
//     producing task ── write ──► pieces (≤ capacity, and one piece more) ── read ──► shard ──► socket
//
// - `write` returns when fewer than `capacity` bytes are queued, so a slow client slows the producer down.
// - The shard reads all queued bytes when the socket is writable. When the queue is empty, the next piece wakes the
//   shard.
// - The side that ends the stream first decides the outcome: the producer by returning or throwing, the shard by
//   `cancel` when the client has disconnected. Then the producer's task is cancelled, and its `write` throws.

/// The body of a response that is written while it is sent.
package final class AnswerStream: Sendable {
    /// An error that tells the producer that the reader has gone.
    package struct Ended: Error {
        /// Creates the error.
        package init() {}
    }

    /// The result of a read.
    enum ReadResult: Sendable, Equatable {
        /// Some bytes; more may follow.
        case bytes([UInt8])
        /// No bytes yet; the stream wakes its reader when there are more.
        case nothing
        /// The body is complete.
        case end
        /// The producer failed; the response must not look complete.
        case failure
    }

    private enum End {
        case complete
        case failed
        case cancelled
    }

    private struct State {
        var pieces: [[UInt8]] = []
        var waitingBytes = 0
        var writer: CheckedContinuation<Void, Never>?
        var wake: (@Sendable () -> Void)?
        var isReaderWaiting = false
        var end: End?
        var task: Task<Void, Never>?
    }

    /// The maximum number of queued bytes.
    package static let capacity = 65_536

    private let state = Mutex(State())
    private let produce: @Sendable (AnswerStream) async throws -> Void

    /// Creates a body.
    ///
    /// `produce` runs in a task of its own as soon as the reader starts.
    ///
    /// The body is complete when `produce` returns. When it throws, the client sees a truncated response.
    package init(_ produce: @escaping @Sendable (AnswerStream) async throws -> Void) { self.produce = produce }

    // MARK: Producer

    /// Appends bytes, and waits until the queue has capacity for more.
    ///
    /// - Throws: when the client has disconnected, or the task was cancelled.
    package func write(_ bytes: [UInt8]) async throws(Ended) {
        guard !bytes.isEmpty else { return }
        let (isOpen, isFull, wake) = self.state.withLock { state -> (Bool, Bool, (@Sendable () -> Void)?) in
            guard state.end == nil else { return (false, false, nil) }
            state.pieces.append(bytes)
            state.waitingBytes += bytes.count
            let wake = state.isReaderWaiting ? state.wake : nil
            state.isReaderWaiting = false
            return (true, state.waitingBytes > Self.capacity, wake)
        }
        guard isOpen, !Task.isCancelled else { throw Ended() }
        wake?()
        guard isFull else { return }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isFull = self.state.withLock { state in
                    guard state.end == nil, state.waitingBytes > Self.capacity, !Task.isCancelled else { return false }
                    precondition(state.writer == nil, "an answer has one producer")
                    state.writer = continuation
                    return true
                }
                if !isFull { continuation.resume() }
            }
        } onCancel: {
            self.state.withLock { $0.writer.take() }?.resume()
        }
        let isCancelled = self.state.withLock { $0.end == .cancelled }
        if isCancelled || Task.isCancelled { throw Ended() }
    }

    // MARK: Reader

    /// Starts the producer.
    ///
    /// After a read of `nothing`, `wake` is called from any thread when there is more.
    package func start(wake: @escaping @Sendable () -> Void) {
        let mayStart = self.state.withLock { state in
            guard state.task == nil, state.end == nil else { return false }
            state.wake = wake
            return true
        }
        guard mayStart else { return }
        let task = Task {
            do {
                try await self.produce(self)
                self.finish(.complete)
            } catch {
                self.finish(.failed)
            }
        }
        let isCancelled = self.state.withLock { state in
            state.task = task
            return state.end == .cancelled
        }
        if isCancelled { task.cancel() }
    }

    /// Removes and returns the queued bytes in one piece.
    func read() -> ReadResult {
        let (result, writer) = self.state.withLock { state -> (ReadResult, CheckedContinuation<Void, Never>?) in
            if !state.pieces.isEmpty, state.end != .cancelled {
                let bytes = state.pieces.count == 1 ? state.pieces[0] : Array(state.pieces.joined())
                state.pieces.removeAll()
                state.waitingBytes = 0
                return (.bytes(bytes), state.writer.take())
            }
            switch state.end {
            case .complete: return (.end, nil)
            case .failed, .cancelled: return (.failure, nil)
            case nil:
                state.isReaderWaiting = true
                return (.nothing, nil)
            }
        }
        writer?.resume()
        return result
    }

    /// Cancels the producer because the reader has gone.
    package func cancel() {
        let (task, writer) = self.state.withLock { state in
            if state.end == nil { state.end = .cancelled }
            state.pieces.removeAll()
            state.wake = nil
            return (state.task, state.writer.take())
        }
        writer?.resume()
        task?.cancel()
    }

    private func finish(_ end: End) {
        let wake = self.state.withLock { state -> (@Sendable () -> Void)? in
            if state.end == nil { state.end = end }
            defer { state.isReaderWaiting = false }
            return state.isReaderWaiting ? state.wake : nil
        }
        wake?()
    }
}
