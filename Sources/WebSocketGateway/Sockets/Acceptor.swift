import EventLoop
import Glibc
import Synchronization

// The accept thread: accepts connections, refuses those over a limit, and assigns the others to the shards in rotation.
//
// A refusal is written at once, and the socket is read until the client closes, for at most a second. Closing it with
// the request unread would reset the connection, and the client would not see the status.

/// The owner of the listening socket and its thread.
final class Acceptor: Sendable {
    /// The port that the server listens on.
    let port: UInt16
    /// The heartbeat of the accept thread.
    let heartbeat: Heartbeat
    private let listener: Int32
    private let signal = WakeSignal()
    private let isStopping = Atomic<Bool>(false)
    private let thread = Mutex<WorkerThread?>(nil)

    /// Starts listening.
    ///
    /// Connections are accepted from `start` on.
    init(configuration: GatewayConfiguration) throws(GatewayError) {
        self.heartbeat = Heartbeat("\(configuration.loopPrefix)accept")
        (self.listener, self.port) = try PeerAddress.listen(host: configuration.host, port: configuration.port)
    }

    /// Starts the thread.
    ///
    /// - Parameters:
    ///   - clock: the clock for rate limits.
    ///   - admissions: the counters for connection limits.
    ///   - isStalled: whether no shard can adopt a socket.
    ///   - refuse: returns the bytes of a refusal; nil to close without a response, as with TLS.
    ///   - accept: adopts a connected, non-blocking descriptor.
    func start(
        clock: MonotonicClock,
        admissions: AdmissionBook,
        isStalled: @escaping @Sendable () -> Bool,
        refuse: @escaping @Sendable (RefusalReason) -> [UInt8]?,
        accept: @escaping @Sendable (_ descriptor: Int32, _ address: String) -> Void
    ) {
        let thread = WorkerThread(name: "muster-accept") { [self] in
            var loop = AcceptLoop(
                clock: clock,
                admissions: admissions,
                heartbeat: self.heartbeat,
                isStalled: isStalled,
                refuse: refuse,
                accept: accept
            )
            loop.run(listener: self.listener, signal: self.signal) {
                self.isStopping.load(ordering: .relaxed)
            }
        }
        self.thread.withLock { $0 = thread }
    }

    /// Ends the thread and closes the listening socket.
    ///
    /// Call it once.
    func stop() {
        self.isStopping.store(true, ordering: .relaxed)
        self.signal.raise()
        let thread = self.thread.withLock { $0.take() }
        thread?.join()
        close(self.listener)
    }
}
