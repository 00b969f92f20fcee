package import EventLoop
import Synchronization

// One client is one `CURLM` on one thread, for URLs of the configuration. URLs from clients of this server would need
// another client, with its own address filter and its own URL type. Otherwise libcurl would reuse the open connections
// of the operator's URLs without calling the filter.

/// An HTTP client for requests to other servers.
package final class OutboundClient: Sendable {
    /// The maximum number of requests that wait for one host.
    private static let waitingPerHost = 256

    /// The heartbeat of the thread.
    package let heartbeat: Heartbeat
    private let mailbox: Mailbox<OutboundCommand>
    private let clock: MonotonicClock
    private let observe: @Sendable (OutboundOutcome, Double) -> Void
    private let lastID = Atomic<UInt64>(0)

    /// Creates a client and starts its thread.
    ///
    /// - Parameters:
    ///   - userAgent: the `User-Agent` header, with a contact address of the operator.
    ///   - clock: the clock of the requests' deadlines.
    ///   - observe: called with the outcome of each request and its duration in seconds.
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
        // The thread ends by itself after the `close` command.
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

    /// Sends a request.
    ///
    /// A redirect is returned as a response and is not followed.
    ///
    /// The request ends at its timeout or deadline, and at once when the task is cancelled.
    ///
    /// - Throws: the reason why there is no response.
    package func send(_ request: OutboundRequest) async throws(OutboundError) -> OutboundResponse {
        let id = self.lastID.wrappingAdd(1, ordering: .relaxed).newValue
        let start = self.clock.nanoseconds
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                self.mailbox.send(.begin(id, request) { continuation.resume(returning: $0) })
                // A cancellation before this point precedes `begin` in the mailbox, where its id is still unknown.
                if Task.isCancelled { self.mailbox.send(.cancel(id)) }
            }
        } onCancel: {
            self.mailbox.send(.cancel(id))
        }
        self.observe(OutboundOutcome(result), Double(self.clock.nanoseconds - start) / 1e9)
        return try result.get()
    }
}
