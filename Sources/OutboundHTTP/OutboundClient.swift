package import EventLoop
import Synchronization

// One client is one `CURLM` on one thread. URLs of the configuration and URLs from clients of this server have a client
// of their own each, and a type of their own. With one client, libcurl would reuse the open connections of the
// operator's URLs without asking which addresses are admitted.

/// An HTTP client for requests to the servers that the operator chose.
package final class OutboundClient: Sendable {
    /// The heartbeat of the thread.
    package var heartbeat: Heartbeat { self.thread.heartbeat }
    private let thread: OutboundThread

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
        self.thread = OutboundThread("outbound", userAgent: userAgent, clock: clock, observe: observe)
    }

    /// Sends a request.
    ///
    /// A redirect is returned as a response and is not followed.
    ///
    /// The request ends at its timeout or deadline, and at once when the task is cancelled.
    ///
    /// - Throws: the reason why there is no response.
    package func send(_ request: OutboundRequest) async throws(OutboundError) -> OutboundResponse {
        try await self.thread.send(request.job)
    }
}

/// An HTTP client for requests to the addresses that clients of this server gave.
///
/// It connects only to public addresses, and to those that the operator allows.
package final class StrangerClient: Sendable {
    /// The heartbeat of the thread.
    package var heartbeat: Heartbeat { self.thread.heartbeat }
    private let thread: OutboundThread
    private let allowance: OutboundAllowance

    /// Creates a client and starts its thread.
    ///
    /// - Parameters:
    ///   - userAgent: the `User-Agent` header, with a contact address of the operator.
    ///   - clock: the clock of the requests' deadlines.
    ///   - allowance: the addresses that the operator allows although they are not public.
    ///   - observe: called with the outcome of each request and its duration in seconds.
    package init(
        userAgent: String,
        clock: MonotonicClock = .system,
        allowance: OutboundAllowance,
        observe: @escaping @Sendable (OutboundOutcome, Double) -> Void = { _, _ in }
    ) {
        self.thread = OutboundThread("stranger", userAgent: userAgent, clock: clock, observe: observe)
        self.allowance = allowance
    }

    /// Sends a request, as `OutboundClient.send` does.
    ///
    /// - Throws: the reason why there is no response; `forbidden` when no address of the host is admitted.
    package func send(_ request: StrangerRequest) async throws(OutboundError) -> OutboundResponse {
        try await self.thread.send(request.job(self.allowance))
    }
}

/// The thread of a client.
private final class OutboundThread: Sendable {
    /// The maximum number of requests that wait for one host.
    private static let waitingPerHost = 256

    /// The heartbeat of the thread.
    let heartbeat: Heartbeat
    private let mailbox: Mailbox<OutboundCommand>
    private let clock: MonotonicClock
    private let observe: @Sendable (OutboundOutcome, Double) -> Void
    private let lastID = Atomic<UInt64>(0)

    init(
        _ name: String,
        userAgent: String,
        clock: MonotonicClock,
        observe: @escaping @Sendable (OutboundOutcome, Double) -> Void
    ) {
        let multi = MultiHandle()
        let mailbox = Mailbox<OutboundCommand> { multi.wake() }
        let heartbeat = Heartbeat(name, hasInput: { mailbox.count > 0 })
        self.heartbeat = heartbeat
        self.mailbox = mailbox
        self.clock = clock
        self.observe = observe
        // The thread ends by itself after the `close` command.
        _ = WorkerThread(name: name) {
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

    func send(_ request: OutboundJob) async throws(OutboundError) -> OutboundResponse {
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
