import Synchronization

// A bounded queue between two sides that never wait for each other.
//
//     socket ──► shard ── append ──► pieces ── read ──► handler
//
// The shard stops reading the socket while `capacity` bytes and more wait, and is woken when the handler has read them: so a
// body of any length takes no more memory than that, and a client cannot send faster than the handler reads.

/// How the body of a request reaches the application.
package enum BodyReception: Sendable, Equatable {
    /// Whole, with at most so many bytes.
    case whole(limit: Int)
    /// As it comes, with at most so many bytes; the application has the request before its body.
    case stream(limit: Int)

    /// The most bytes; over it: 413.
    var limit: Int {
        switch self {
        case .whole(let limit), .stream(let limit): limit
        }
    }
}

/// The body of a request as it comes, for one reader.
package final class RequestBody: Sendable {
    /// Why a body did not come to its end.
    package enum Failure: Error, Sendable {
        /// The client has gone, or took too long.
        case incomplete
        /// It has more bytes than the route takes.
        case tooLarge
        /// Its chunks are malformed.
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

    /// Bytes that may wait for the handler.
    package static let capacity = 65_536

    private let state = Mutex(State())
    private let wake: @Sendable () -> Void

    /// Creates a body of which nothing has come; `wake` is called, from any thread, when there is room again.
    package init(wake: @escaping @Sendable () -> Void) { self.wake = wake }

    // MARK: The handler's side

    /// The next bytes, as soon as there are some; nil at the end.
    ///
    /// - Throws: when there will be no end.
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

    /// All of the body, for a handler that keeps no more than the route's limit.
    ///
    /// - Throws: when it does not come to its end.
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

    // MARK: The shard's side

    /// Appends what came.
    ///
    /// - Returns: whether there is room for more; if not, `wake` is called when there is.
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

    /// All of it has come.
    package func finish() { self.end(.complete) }

    /// The rest will not come.
    package func fail(_ failure: Failure) { self.end(.failed(failure)) }

    private func end(_ end: End) {
        let reader = self.state.withLock { state in
            if state.end == nil { state.end = end }
            return state.reader.take()
        }
        reader?.resume()
    }
}
