import Synchronization

// A bounded queue between two sides that never block each other.
//
//     socket ──► shard ── append ──► pieces ── read ──► handler
//
// The shard stops reading the socket while `capacity` or more bytes are queued, and is woken when the handler has read
// them. So a body of any length uses no more memory than that, and a client cannot send faster than the handler reads.

/// The form in which the application receives a request body.
package enum BodyReception: Sendable, Equatable {
    /// A whole body of at most `limit` bytes.
    case whole(limit: Int)
    /// A stream of at most `limit` bytes. The application gets the request before its body.
    case stream(limit: Int)

    /// The maximum number of bytes; beyond it: 413.
    var limit: Int {
        switch self {
        case .whole(let limit), .stream(let limit): limit
        }
    }
}

/// A streamed request body for one reader.
package final class RequestBody: Sendable {
    /// The reason why a body is incomplete.
    package enum Failure: Error, Sendable {
        /// The client disconnected or timed out.
        case incomplete
        /// The body is larger than the route allows.
        case tooLarge
        /// The chunked coding is malformed.
        case malformed
    }

    private enum End {
        case complete
        case failed(Failure)
    }

    private struct State {
        var pieces: [[UInt8]] = []
        var waitingBytes = 0
        var isShardWaiting = false
        var reader: CheckedContinuation<Void, Never>?
        var end: End?
    }

    /// The number of queued bytes at which the shard stops reading.
    package static let capacity = 65_536

    private let state = Mutex(State())
    private let wake: @Sendable () -> Void

    /// Creates an empty body.
    ///
    /// `wake` is called from any thread when the queue has capacity again.
    init(wake: @escaping @Sendable () -> Void) { self.wake = wake }

    // MARK: Handler

    /// Waits for the next bytes and returns them; nil at the end.
    ///
    /// - Throws: when the body will not be complete.
    package func read() async throws(Failure) -> [UInt8]? {
        while true {
            let (piece, end, isRoom) = self.state.withLock { state -> ([UInt8]?, End?, Bool) in
                guard !state.pieces.isEmpty else { return (nil, state.end, false) }
                let piece = state.pieces.count == 1 ? state.pieces[0] : Array(state.pieces.joined())
                state.pieces.removeAll()
                state.waitingBytes = 0
                defer { state.isShardWaiting = false }
                return (piece, nil, state.isShardWaiting)
            }
            if isRoom { self.wake() }
            if let piece { return piece }
            switch end {
            case .complete: return nil
            case .failed(let failure): throw failure
            case nil: break
            }
            guard !Task.isCancelled else { throw .incomplete }
            await self.wait()
        }
    }

    /// Returns the whole body, for a handler that keeps no more than the route's limit.
    ///
    /// - Throws: when the body is incomplete.
    package func collect() async throws(Failure) -> [UInt8] {
        var bytes: [UInt8] = []
        while let piece = try await self.read() { bytes += piece }
        return bytes
    }

    private func wait() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let mustWait = self.state.withLock { state in
                    guard state.pieces.isEmpty, state.end == nil, !Task.isCancelled else { return false }
                    precondition(state.reader == nil, "a body has one reader")
                    state.reader = continuation
                    return true
                }
                if !mustWait { continuation.resume() }
            }
        } onCancel: {
            self.state.withLock { $0.reader.take() }?.resume()
        }
    }

    // MARK: Shard

    /// Appends received bytes.
    ///
    /// - Returns: whether the queue has capacity for more; if not, `wake` is called when it has.
    package func append(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard !bytes.isEmpty else { return true }
        let piece = Array(bytes)
        let (isRoom, reader) = self.state.withLock { state -> (Bool, CheckedContinuation<Void, Never>?) in
            guard state.end == nil else { return (true, nil) }
            state.pieces.append(piece)
            state.waitingBytes += piece.count
            let isRoom = state.waitingBytes < Self.capacity
            state.isShardWaiting = !isRoom
            return (isRoom, state.reader.take())
        }
        reader?.resume()
        return isRoom
    }

    /// Marks the body as complete.
    package func finish() { self.end(.complete) }

    /// Marks the body as failed.
    package func fail(_ failure: Failure) { self.end(.failed(failure)) }

    private func end(_ end: End) {
        let reader = self.state.withLock { state in
            if state.end == nil { state.end = end }
            return state.reader.take()
        }
        reader?.resume()
    }
}
