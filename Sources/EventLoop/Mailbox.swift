package import Synchronization

/// A multi-producer, single-consumer queue that wakes its consumer once per batch.
///
/// Producers on any thread append; the one consumer swaps the whole batch out. Both buffers keep their capacity, so a
/// mailbox in steady state allocates nothing.
///
/// Inlinable throughout, so that the modules that use it have code for just their messages: what serves any message asks the
/// type how each is to be moved, by calls.
package final class Mailbox<Message: Sendable>: Sendable {
    @usableFromInline
    struct State: ~Copyable {
        @usableFromInline
        var pending: [Message] = []
        @usableFromInline
        var isWakeRequested = false

        @inlinable
        init() {}

        @inlinable
        mutating func requestWake() -> Bool {
            defer { self.isWakeRequested = true }
            return !self.isWakeRequested
        }
    }

    @usableFromInline
    let state = Mutex(State())
    @usableFromInline
    let wake: @Sendable () -> Void

    /// Creates an empty mailbox.
    ///
    /// - Parameter wake: called on the producer's thread for the first message of a batch; must be cheap and must not
    ///   call back into the mailbox.
    package init(wake: @escaping @Sendable () -> Void) {
        self.wake = wake
    }

    /// Appends `message` and wakes the consumer if it is the first of the batch.
    ///
    /// - Returns: the number of messages that now wait, for producers that pause when it grows.
    @inlinable
    @discardableResult
    package func send(_ message: sending Message) -> Int {
        let (depth, mustWake) = self.state.withLock { state in
            state.pending.append(message)
            return (state.pending.count, state.requestWake())
        }
        if mustWake { self.wake() }
        return depth
    }

    /// Moves all of `messages` into the mailbox under one lock and leaves the array empty with its capacity.
    ///
    /// - Returns: the number of messages that now wait.
    @inlinable
    @discardableResult
    package func send(contentsOf messages: inout [Message]) -> Int {
        self.send(contentsOf: &messages) { _ in false }
    }

    /// Moves all of `messages` into the mailbox, and wakes its consumer unless somebody has stood in for it.
    ///
    /// - Parameters:
    ///   - messages: left empty, with its capacity.
    ///   - standIn: called in place of a wake, with the number of messages that wait; drains the mailbox and does with
    ///     them what the consumer would, or says that it has not.
    /// - Returns: the number of messages that waited.
    @inlinable
    @discardableResult
    package func send(contentsOf messages: inout [Message], unless standIn: (_ depth: Int) -> Bool) -> Int {
        guard !messages.isEmpty else { return self.count }
        let (depth, mustWake) = self.state.withLock { state in
            if state.pending.isEmpty {
                swap(&state.pending, &messages)
            } else {
                state.pending.append(contentsOf: messages)
            }
            return (state.pending.count, state.requestWake())
        }
        messages.removeAll(keepingCapacity: true)
        if mustWake, !standIn(depth) { self.wake() }
        return depth
    }

    /// Swaps the waiting messages into `batch`, whose old content is dropped.
    @inlinable
    package func drain(into batch: inout [Message]) {
        batch.removeAll(keepingCapacity: true)
        self.state.withLock { state in
            swap(&state.pending, &batch)
            state.isWakeRequested = false
        }
    }

    /// Says, for the consumer, that it is about to drain the mailbox: until it has, it is not woken.
    @inlinable
    package func suppressWakes() { self.state.withLock { $0.isWakeRequested = true } }

    /// The number of messages that wait now.
    @inlinable
    package var count: Int { self.state.withLock { $0.pending.count } }
}
