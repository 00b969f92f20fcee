package import EventLoop
import Synchronization

// One client is one `CURLM` on one thread, for the addresses of the configuration. Addresses that clients of this server give
// need another one, with a guard of its own and a type of address of its own: libcurl would reuse the operator's open connections,
// and never ask the guard.

/// The way out of this process, over HTTP.
package final class OutboundClient: Sendable {
    /// Requests that may wait for one host.
    private static let waitingPerHost = 256

    /// Marks the turns of the thread.
    package let heartbeat: Heartbeat
    private let mailbox: Mailbox<OutboundCommand>
    private let clock: MonotonicClock
    private let observe: @Sendable (OutboundOutcome, Double) -> Void
    private let lastID = Atomic<UInt64>(0)

    /// Creates a client, whose thread starts at once.
    ///
    /// - Parameters:
    ///   - userAgent: how it names itself, with where its operator can be reached.
    ///   - clock: by which requests have their deadlines.
    ///   - observe: told how each request ended, and after how many seconds.
    package init(
        userAgent: String,
        clock: MonotonicClock = .system,
        observe: @escaping @Sendable (OutboundOutcome, Double) -> Void = { _, _ in }
    ) {
        let multi = MultiHandle()
        let mailbox = Mailbox<OutboundCommand> { multi.wake() }
        let heartbeat = Heartbeat("outbound", hasInput: { mailbox.count > 0 })
        self.heartbeat = heartbeat
        self.mailbox = mailbox
        self.clock = clock
        self.observe = observe
        // The thread ends by itself when it is told to close.
        _ = WorkerThread(name: "outbound") {
            OutboundLoop(
                multi,
                mailbox,
                heartbeat: heartbeat,
                clock: clock,
                userAgent: userAgent,
                waitingPerHost: Self.waitingPerHost
            ).run()
            heartbeat.end()
        }
    }

    deinit { self.mailbox.send(.close) }

    /// Does a request; a redirect is an answer like others, and nobody follows it.
    ///
    /// It ends by its timeout and its deadline, and at once when the task is cancelled.
    ///
    /// - Throws: why there is no answer.
    package func send(_ request: OutboundRequest) async throws(OutboundError) -> OutboundResponse {
        let id = self.lastID.wrappingAdd(1, ordering: .relaxed).newValue
        let start = self.clock.nanoseconds
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                self.mailbox.send(.begin(id, request) { continuation.resume(returning: $0) })
                // A cancellation before this is older than the request, and would name one that is unknown.
                if Task.isCancelled { self.mailbox.send(.cancel(id)) }
            }
        } onCancel: {
            self.mailbox.send(.cancel(id))
        }
        self.observe(OutboundOutcome(result), Double(self.clock.nanoseconds - start) / 1e9)
        return try result.get()
    }
}
