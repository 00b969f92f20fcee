import EventLoop
import MusterWire

/// A gateway's shard without sockets, threads and libwebsockets, for tests of applications, topics and the write plan.
///
/// Everything but the sockets is the real implementation. It is confined to the thread that creates it, and does
/// nothing by itself: `iterate` runs one iteration of the loop, and `advance` handles timers. Only `mailboxes` may be used
/// from other threads.
final class MemoryShard<Application: GatewayApplication> {
    /// The mailbox for other threads, of a single shard with index 0.
    let mailboxes: GatewayMailboxes<Application.Message>

    private let core: ShardCore
    private let shard: Shard<Application>
    private let counters = ShardCounters()
    private let mailbox: ShardMailbox
    private var clients: [MemoryClient] = []

    /// Creates a shard with its application.
    init(
        configuration: GatewayConfiguration = GatewayConfiguration(),
        kinds: TopicKinds,
        clock: MonotonicClock = .system,
        makeApplication: (any GatewayShard) -> Application
    ) {
        let mailbox = ShardMailbox()
        self.mailbox = mailbox
        self.mailboxes = GatewayMailboxes([mailbox])
        let core = ShardCore(
            index: 0,
            configuration: configuration,
            kinds: kinds,
            clock: clock,
            counters: self.counters,
            shared: GatewayShared(
                admissions: AdmissionBook(limits: configuration.limits),
                staticFiles: StaticFiles(mounts: []),
                clock: clock,
                log: { _ in }
            ),
            post: { mailbox.commands.send($0) }
        )
        self.core = core
        self.shard = Shard(core: core, loop: nil, mailbox: mailbox, makeApplication: makeApplication)
    }

    deinit {
        // Breaks the reference cycle between the two.
        self.core.events = nil
    }

    /// The application.
    package var application: Application { self.shard.application }

    /// The counters of the shard.
    package var metrics: GatewayMetrics {
        var metrics = GatewayMetrics()
        self.counters.add(to: &metrics)
        return metrics
    }

    /// Connects a client.
    package func connect(subprotocol: String = "muster.v1", host: String? = nil) -> MemoryClient {
        let socket = MemorySocket(subprotocol: subprotocol)
        let connection = self.core.open(.memory(.passUnretained(socket)), host: host)
        let client = MemoryClient(connection: connection, socket: socket)
        self.clients.append(client)
        self.core.events?.connectionOpened(connection)
        return client
    }

    /// Receives a text frame from a client.
    package func receive(_ text: String, from client: MemoryClient) {
        var bytes = Array(text.utf8)
        bytes.withUnsafeMutableBytes { buffer in
            self.core.receive(UnsafeRawBufferPointer(buffer), .textEnd, on: client.connection)
        }
    }

    /// Ends a client's connection with a close code, or with 1006 as if it had vanished.
    package func end(_ client: MemoryClient, number: UInt16 = 1006) {
        client.connection.peerCode = number
        self.forget(client)
    }

    /// Runs one iteration: executes the commands of other threads, calls `iterationEnded` of the application, and writes due
    /// frames.
    package func iterate() {
        self.core.wakeSignalled()
        self.finishIteration()
    }

    /// Runs iterations until a condition holds that other threads bring about, or the time is over.
    ///
    /// Blocks.
    ///
    /// - Returns: whether the condition holds.
    package func iterate(until holds: () -> Bool, milliseconds: Int64 = 10_000) -> Bool {
        let end = MonotonicClock.system.milliseconds + milliseconds
        self.iterate()
        while !holds() {
            guard MonotonicClock.system.milliseconds < end else { return false }
            self.mailbox.wake.wait(timeoutMilliseconds: 20)
            self.iterate()
        }
        return true
    }

    /// Handles everything that is due at the clock's time: deadlines, pings, timers of the application.
    package func advance() {
        self.core.timeAdvanced()
        self.finishIteration()
    }

    private func finishIteration() {
        self.core.iterationEnded()
        for client in self.clients {
            if client.socket.drainTail() {
                self.core.becameWritable(client.connection)
                self.core.iterationEnded()
            }
            client.parse()
        }
        for client in self.clients where client.isEnded { self.forget(client) }
    }

    private func forget(_ client: MemoryClient) {
        self.core.forget(client.connection, ownCode: nil)
        self.clients.removeAll { $0 === client }
    }
}

@available(*, unavailable)
extension MemoryShard: Sendable {}
