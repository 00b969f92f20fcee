package import Synchronization

/// A multi-producer, single-consumer queue that wakes its consumer once per batch.
///
/// Producers on any thread append; the one consumer swaps the whole batch out. Both buffers keep their capacity, so a
/// mailbox in steady state allocates nothing.
///
/// Inlinable throughout, so that other modules specialise it for their message types. Unspecialised generic code would
/// move each message through calls to its value witnesses.
package final class Mailbox<Message: Sendable>: Sendable {
    @usableFromInline
    struct State: ~Copyable {
        @usableFromInline
        var pending: [Message] = []
        @usableFromInline
        var isWakeRequested = false

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
    /// - Returns: the number of pending messages, for producers that apply backpressure.
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
    /// - Returns: the number of pending messages.
    @inlinable
    @discardableResult
    package func send(contentsOf messages: inout [Message]) -> Int {
        self.send(contentsOf: &messages) { _ in false }
    }

    /// Moves all of `messages` into the mailbox, and wakes its consumer unless `standIn` acts as the consumer.
    ///
    /// - Parameters:
    ///   - messages: left empty, with its capacity.
    ///   - standIn: called instead of a wake, with the number of pending messages. It drains and processes the mailbox
    ///     as the consumer would, or returns false.
    /// - Returns: the number of messages that were pending.
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

    /// Swaps the pending messages into `batch`, whose old content is dropped.
    @inlinable
    package func drain(into batch: inout [Message]) {
        batch.removeAll(keepingCapacity: true)
        self.state.withLock { state in
            swap(&state.pending, &batch)
            state.isWakeRequested = false
        }
    }

    /// Suppresses wakes until the next drain.
    ///
    /// The consumer calls it when it is about to drain the mailbox.
    @inlinable
    package func suppressWakes() { self.state.withLock { $0.isWakeRequested = true } }

    /// The number of pending messages.
    @inlinable
    package var count: Int { self.state.withLock { $0.pending.count } }
}
