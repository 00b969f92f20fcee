package import EventLoop
package import MusterCore
import MusterWire
import Postgres
import Synchronization

// One connection writes all rooms. All waiting orders, up to 256, form one transaction, because the commit is the main
// cost and the rooms are locked anyway. A batch with an unknown outcome is executed again: stored messages are found by
// their keys, and an edit that is already stored changes nothing. A batch that storage rejects because of its data is
// halved until the bad order is alone.
//
// `onCommitted` is called before the orders' completion handlers, so the world has received a message before its author
// is told that it is written. An order that was given up may still have been committed: `onUncertain` names the rooms.

/// Writes the messages of rooms in the order of submission.
package final class ChatWriter: Sendable {
    /// The settings of the writer.
    package struct Configuration: Sendable {
        /// A libpq connection string or URL.
        package var connectionString: String
        /// The maximum number of waiting orders.
        var queueLimit = 4_096
        /// The maximum number of orders in one transaction.
        package var batchLimit = 256
        /// How long an order is retried while storage is unavailable, in milliseconds.
        package var timeout: Int64 = 10_000

        /// Creates the default configuration.
        package init(connectionString: String) { self.connectionString = connectionString }
    }

    /// Counters of the writer.
    struct Metrics: Sendable, Equatable {
        /// Messages written.
        var messages: Int64 = 0
        /// Orders that wait or are being written.
        var queue = 0
    }

    private typealias End = Result<ChatOutcome, any Error>

    private struct Pending: Sendable {
        let order: ChatOrder
        let since: Int64
        let end: @Sendable (End) -> Void
    }

    private struct State {
        var queue: [Pending] = []
        var isRunning = false
        var isClosed = false
        var metrics = Metrics()
        /// The log of orders that could not be written.
        var failures = FailureLog(quietPeriod: 5_000)
    }

    /// The heartbeat of the writer's batches.
    private let heartbeat = Heartbeat("chat")
    private let configuration: Configuration
    private let pool: PostgresPool
    private let clock: MonotonicClock
    private let log: @Sendable (LogEvent) -> Void
    private let onTransaction: @Sendable (Double) -> Void
    private let onCommitted: @Sendable ([RoomAdvance]) -> Void
    private let onUncertain: @Sendable ([RoomID]) -> Void
    private let state = Mutex(State())

    /// Creates a writer, which connects when the first order arrives.
    ///
    /// - Parameters:
    ///   - configuration: the connection and the limits.
    ///   - clock: measures waiting times.
    ///   - log: receives failures of orders.
    ///   - onTransaction: receives the duration of each transaction in seconds.
    ///   - onCommitted: called after each commit with the changes of rooms, and with empty changes for rooms with
    ///     repeated orders.
    ///   - onUncertain: called with the rooms of orders that were given up with an unknown outcome.
    package init(
        _ configuration: Configuration,
        clock: MonotonicClock = .system,
        log: @escaping @Sendable (LogEvent) -> Void = { _ in },
        onTransaction: @escaping @Sendable (Double) -> Void = { _ in },
        onCommitted: @escaping @Sendable ([RoomAdvance]) -> Void,
        onUncertain: @escaping @Sendable ([RoomID]) -> Void = { _ in }
    ) {
        self.configuration = configuration
        self.clock = clock
        self.log = log
        self.onTransaction = onTransaction
        self.onCommitted = onCommitted
        self.onUncertain = onUncertain
        var pool = PostgresPool.Configuration(connectionString: configuration.connectionString)
        pool.name = "chat-pool"
        pool.size = 1
        pool.settings = PlannerSettings.byKey
        self.pool = PostgresPool(pool, clock: clock)
    }

    /// The heartbeats of the writer's loops.
    var heartbeats: [Heartbeat] { [self.heartbeat, self.pool.heartbeat] }

    /// The current counters.
    var metrics: Metrics { self.state.withLock { $0.metrics } }

    /// Writes an order, and returns after the commit.
    ///
    /// - Throws: the reason of a refusal; `unavailable` when too many orders wait, or storage is unavailable for too
    ///   long.
    package func write(_ order: ChatOrder) async throws -> ChatOutcome {
        let end: End = await withCheckedContinuation { continuation in
            self.submit(order) { continuation.resume(returning: $0) }
        }
        return try end.get()
    }

    /// Writes a system message without waiting for the commit.
    func say(_ order: ChatOrder) {
        self.submit(order) { end in
            guard case .failure(let error) = end else { return }
            self.noteFailure(LogEvent(.warning, "a change of a room was not published", [("error", "\(error)")]))
        }
    }

    /// Closes the connection; waiting orders are not written.
    package func close() async {
        self.state.withLock { $0.isClosed = true }
        await self.pool.close()
    }

    private func submit(_ order: ChatOrder, _ end: @escaping @Sendable (End) -> Void) {
        let pending = Pending(order: order, since: self.clock.milliseconds, end: end)
        let (isAccepted, mustStart) = self.state.withLock { state -> (Bool, Bool) in
            guard !state.isClosed, state.metrics.queue < self.configuration.queueLimit else { return (false, false) }
            state.queue.append(pending)
            state.metrics.queue += 1
            defer { state.isRunning = true }
            return (true, !state.isRunning)
        }
        guard isAccepted else {
            let message = "Too many messages wait to be stored; try again soon."
            return end(.failure(FrameError(.unavailable, message: message)))
        }
        if mustStart { Task { await self.run() } }
    }

    private func run() async {
        while true {
            let batch = self.state.withLock { state -> [Pending] in
                let batch = Array(state.queue.prefix(self.configuration.batchLimit))
                state.queue.removeFirst(batch.count)
                if batch.isEmpty { state.isRunning = false }
                return batch
            }
            guard !batch.isEmpty else { return }
            self.heartbeat.begin()
            await self.write(batch)
            self.state.withLock { $0.metrics.queue -= batch.count }
            self.heartbeat.end()
        }
    }

    /// Writes a batch, and completes its orders.
    private func write(_ batch: [Pending]) async {
        var backoff = Backoff(shortest: 20, longest: 1_000)
        while true {
            do {
                return self.finish(batch, try await self.attempt(batch))
            } catch {
                let cause = error as? PostgresError
                if cause?.isConnectionProblem == true || cause?.isRetryable == true {
                    let isTired = self.clock.milliseconds - batch[0].since >= self.configuration.timeout
                    guard !isTired, !self.state.withLock({ $0.isClosed }) else { return self.fail(batch, error) }
                    self.heartbeat.wait()
                    try? await Task.sleep(for: .milliseconds(backoff.fail()))
                    self.heartbeat.begin()
                } else if batch.count > 1 {
                    await self.write(Array(batch[..<(batch.count / 2)]))
                    return await self.write(Array(batch[(batch.count / 2)...]))
                } else {
                    self.noteFailure(
                        LogEvent(.error, "a message cannot be written", [("error", String(reflecting: error))])
                    )
                    return self.fail(batch, error)
                }
            }
        }
    }

    private func attempt(_ batch: [Pending]) async throws -> ChatBatch.Result {
        let began = self.clock.nanoseconds
        let orders = ChatBatch(orders: batch.map(\.order))
        self.heartbeat.wait()
        defer { self.heartbeat.begin() }
        let result = try await self.pool.transaction { try await orders.run(in: $0) }
        let seconds = Double(self.clock.nanoseconds - began) / 1e9
        self.onTransaction(seconds)
        self.state.withLock { state in
            state.metrics.messages += result.outcomes.reduce(0) { sum, outcome in
                if case .success(let done) = outcome, !done.isRepeated { sum + 1 } else { sum }
            }
        }
        return result
    }

    private func noteFailure(_ event: LogEvent) {
        let now = self.clock.milliseconds
        if let event = self.state.withLock({ $0.failures.failed(at: now) { event } }) { self.log(event) }
    }

    private func finish(_ batch: [Pending], _ result: ChatBatch.Result) {
        let now = self.clock.milliseconds
        let event = self.state.withLock { state in
            state.failures.succeeded(at: now) { LogEvent(.info, "messages can be written again") }
        }
        if let event { self.log(event) }
        let changes = result.advances + result.known
        if !changes.isEmpty { self.onCommitted(changes) }
        for (pending, outcome) in zip(batch, result.outcomes) {
            pending.end(outcome.mapError(FrameError.init(_:)))
        }
    }

    private func fail(_ batch: [Pending], _ error: any Error) {
        self.onUncertain(Set(batch.map(\.order.room)).sorted())
        for pending in batch { pending.end(.failure(error)) }
    }
}

extension FrameError {
    /// Converts the refusal of an order.
    init(_ refusal: ChatRefusal) {
        switch refusal {
        case .notMember: self = Self.notInRoom
        case .noMessage: self.init(.notFound, message: "There is no such message.")
        case .notOwn: self.init(.forbidden, message: "Only the author of the message may do this.")
        case .deleted: self.init(.gone, message: "This message was deleted.")
        case .notEditable: self.init(.forbidden, message: "This message can no longer be edited.")
        case .field(let field):
            self.init(.badRequest, message: "\(field) must be a message of this room.", field: field)
        case .photo: self = Directory.unknownPhoto
        case .waited(let wait):
            let message = "You asked the group to wait too recently; try again after retryAfter."
            self.init(.rateLimited, message: message, retryAfter: wait)
        case .slow(let wait):
            let message = "This room is in slow mode; wait before your next message."
            self.init(.rateLimited, message: message, retryAfter: wait)
        }
    }

    /// The error for a user who is not in a room, whether the room exists or not.
    static var notInRoom: FrameError { FrameError(.notMember, message: "You are not in this room.") }
}
