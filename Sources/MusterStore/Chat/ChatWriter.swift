package import EventLoop
package import MusterCore
import Postgres
import Synchronization

// One connection writes all rooms. What waits, up to 256 orders, is one transaction: commits are what costs, and rooms are
// locked anyway. A batch whose fate is unknown is run again: what it wrote is found by its keys, and an edit that is there
// already changes nothing. A batch that storage refuses for its data is halved until the bad order stands alone.
//
// `onCommitted` is called before the orders' ends: so whoever hears that a message is written knows that the world was told.
// What is given up may have been committed all the same: `onUncertain` says in which rooms.

/// Writes what people say in rooms, in the order in which it comes.
package final class ChatWriter: Sendable {
    /// How the writer works.
    package struct Configuration: Sendable {
        /// A libpq connection string or URL.
        package var connectionString: String
        /// How many orders may wait.
        package var queueLimit = 4_096
        /// How many orders are one transaction.
        package var batchLimit = 256
        /// For how long an order is tried while storage is away, in milliseconds.
        package var patience: Int64 = 10_000

        /// Creates the usual configuration.
        package init(connectionString: String) { self.connectionString = connectionString }
    }

    /// What the writer has done so far.
    package struct Metrics: Sendable, Equatable {
        /// Messages that were written.
        package var messages: Int64 = 0
        /// Orders that wait or are being written.
        package var queue = 0
    }

    private typealias End = Result<ChatOutcome, DirectoryError>

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
        /// Orders that could not be written.
        var failures = FailureLog(quiet: 5_000)
    }

    /// Marks the writer's batches.
    private let heartbeat = Heartbeat("chat")
    private let configuration: Configuration
    private let pool: PostgresPool
    private let clock: MonotonicClock
    private let log: @Sendable (LogEvent) -> Void
    private let onTransaction: @Sendable (Double) -> Void
    private let onCommitted: @Sendable ([RoomAdvance]) -> Void
    private let onUncertain: @Sendable ([RoomID]) -> Void
    private let state = Mutex(State())

    /// Prepares a writer, which connects when there is something to write.
    ///
    /// - Parameters:
    ///   - configuration: where to connect.
    ///   - clock: what waiting is measured with.
    ///   - log: told of orders that cannot be written.
    ///   - onTransaction: told how many seconds each transaction took.
    ///   - onCommitted: called after each commit with what changed in rooms, and with empty changes of rooms in which
    ///     something was found to be there already.
    ///   - onUncertain: called with the rooms of orders that were given up, of which nobody knows what became.
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

    /// The heartbeats of its loops.
    package var heartbeats: [Heartbeat] { [self.heartbeat, self.pool.heartbeat] }

    /// What it has done and what waits.
    package var metrics: Metrics { self.state.withLock { $0.metrics } }

    /// Writes an order, and returns when it is committed.
    ///
    /// - Throws: why it is refused; `unavailable` when too many wait, or storage is away for long.
    package func write(_ order: ChatOrder) async throws(DirectoryError) -> ChatOutcome {
        let end: End = await withCheckedContinuation { continuation in
            self.submit(order) { continuation.resume(returning: $0) }
        }
        return try end.get()
    }

    /// Writes something that the server says; nobody waits for it.
    package func say(_ order: ChatOrder) {
        self.submit(order) { end in
            guard case .failure(let error) = end else { return }
            self.noteFailure(LogEvent(.warning, "a room was not told something", [("error", error.description)]))
        }
    }

    /// Ends the connection; what waits is not written.
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
            return end(.failure(DirectoryError(.unavailable, "too much is being said; try again soon")))
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

    /// Writes a batch, and tells everybody in it.
    private func write(_ batch: [Pending]) async {
        var backoff = Backoff(shortest: 20, longest: 1_000)
        while true {
            do throws(DirectoryError) {
                return self.finish(batch, try await self.attempt(batch))
            } catch {
                let cause = error.underlyingError
                if cause?.isConnectionProblem == true || cause?.isRetryable == true {
                    let isTired = self.clock.milliseconds - batch[0].since >= self.configuration.patience
                    guard !isTired, !self.state.withLock({ $0.isClosed }) else { return self.fail(batch, error) }
                    self.heartbeat.wait()
                    try? await Task.sleep(for: .milliseconds(backoff.fail()))
                    self.heartbeat.begin()
                } else if batch.count > 1 {
                    await self.write(Array(batch[..<(batch.count / 2)]))
                    return await self.write(Array(batch[(batch.count / 2)...]))
                } else {
                    self.noteFailure(
                        LogEvent(.error, "a message cannot be written", [("error", error.debugDescription)])
                    )
                    return self.fail(batch, error)
                }
            }
        }
    }

    private func attempt(_ batch: [Pending]) async throws(DirectoryError) -> ChatBatch.Result {
        let began = self.clock.nanoseconds
        let orders = ChatBatch(orders: batch.map(\.order))
        self.heartbeat.wait()
        defer { self.heartbeat.begin() }
        let result = try await self.pool.transaction { (transaction) async throws(DirectoryError) -> ChatBatch.Result in
            try await orders.run(in: DirectoryTransaction(transaction))
        }
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
            state.failures.succeeded(at: now) { LogEvent(.info, "messages are written again") }
        }
        if let event { self.log(event) }
        let news = result.advances + result.known
        if !news.isEmpty { self.onCommitted(news) }
        for (pending, outcome) in zip(batch, result.outcomes) {
            pending.end(outcome.mapError { DirectoryError($0) })
        }
    }

    private func fail(_ batch: [Pending], _ error: DirectoryError) {
        self.onUncertain(Set(batch.map(\.order.room)).sorted())
        for pending in batch { pending.end(.failure(error)) }
    }
}

extension DirectoryError {
    /// Says in the words of the directory why an order is refused.
    init(_ refusal: ChatRefusal) {
        switch refusal {
        case .notMember: self = Self.notInRoom
        case .noMessage: self.init(.notFound, "there is no such message")
        case .notOwn: self.init(.forbidden, "this message is another's")
        case .deleted: self.init(.gone, "this message was deleted")
        case .notEditable: self.init(.forbidden, "this message cannot be changed any more")
        case .field(let field): self.init(.badRequest(field: field), "\(field) must be of this room")
        case .photo: self = Directory.unknownPhoto
        case .waited(let wait): self.init(.rateLimited(retryAfter: wait), "you asked a moment ago")
        case .slow(let wait): self.init(.rateLimited(retryAfter: wait), "this room is slow; wait a moment")
        }
    }

    /// Says that somebody is not in a room, whether there is one or not.
    static var notInRoom: DirectoryError { DirectoryError(.notMember, "you are not in this room") }
}
