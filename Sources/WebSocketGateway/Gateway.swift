package import EventLoop
package import MusterWire
import Synchronization

/// A WebSocket and HTTP server for connections and topics, built on libwebsockets.
///
/// Serves from `init` on. Call `shutDown` before the last reference is released.
package final class Gateway<Application: GatewayApplication>: Sendable {
    /// The port that the server listens on.
    package let port: UInt16
    /// The number of shards.
    package var shardCount: Int { self.mailboxes.count }

    /// The mailboxes of the shards, for calls from other threads.
    let mailboxes: GatewayMailboxes<Application.Message>
    private let counters: [ShardCounters]
    private let threads: [WorkerThread]
    private let shared: GatewayShared
    private let acceptor: Acceptor
    private let acceptRefusals = ShardCounters()
    private let descriptors: Int
    private let clock: MonotonicClock
    private let log: @Sendable (LogEvent) -> Void

    /// Starts listening and serving.
    ///
    /// - Parameters:
    ///   - configuration: all settings.
    ///   - kinds: the kinds of the topics.
    ///   - clock: the clock of all shards.
    ///   - log: called from any thread.
    ///   - makeApplication: called once on each shard's thread.
    /// - Throws: when the address or the descriptors are not available, or libwebsockets or its libuv plugin does not
    ///   start.
    package init(
        configuration: GatewayConfiguration,
        kinds: TopicKinds,
        clock: MonotonicClock = .system,
        log: @escaping @Sendable (LogEvent) -> Void,
        makeApplication: @escaping @Sendable (any GatewayShard) -> Application
    ) throws(GatewayError) {
        guard (1...IdentityGenerator.maximumShards).contains(configuration.shards) else {
            throw GatewayError(.invalidConfiguration, message: "the number of shards must be 1 to 64")
        }
        self.clock = clock
        self.log = log
        // A shard uses an epoll descriptor, two event descriptors, a pipe and a wake signal.
        self.descriptors = configuration.descriptors
        let limit = try DescriptorLimit.claim(self.descriptors)
        log(LogEvent(.info, "descriptor limit set", [("process.descriptors", "\(limit)")]))
        ContextFactory.setLog(log)

        let descriptors = self.descriptors
        func releasing<Value>(_ start: () throws(GatewayError) -> Value) throws(GatewayError) -> Value {
            do { return try start() } catch {
                DescriptorLimit.release(descriptors)
                throw error
            }
        }
        let acceptor = try releasing { () throws(GatewayError) in try Acceptor(configuration: configuration) }
        self.acceptor = acceptor
        self.port = acceptor.port
        let shared = GatewayShared(
            admissions: AdmissionBook(limits: configuration.limits),
            staticFiles: StaticFiles(mounts: configuration.staticMounts, listing: configuration.staticListing),
            clock: clock,
            log: log
        )
        self.shared = shared
        let mailboxes = (0..<configuration.shards).map {
            ShardMailbox(Heartbeat("\(configuration.loopPrefix)gateway-\($0)"))
        }
        self.mailboxes = GatewayMailboxes(mailboxes)
        self.counters = (0..<configuration.shards).map { _ in ShardCounters() }
        let counters = self.counters
        self.threads = try releasing { () throws(GatewayError) in
            try Self.startShards(
                mailboxes: mailboxes,
                counters: counters,
                launch: ShardLaunch(configuration: configuration, kinds: kinds, clock: clock, shared: shared),
                acceptor: acceptor,
                makeApplication: makeApplication
            )
        }
        self.startAccepting(configuration)
    }

    // MARK: Commands

    /// Posts a command to the shard that owns a connection or request, or that mirrors a topic.
    package func send(_ command: GatewayCommand, toShard shard: Int) { self.mailboxes.send(command, toShard: shard) }

    /// Posts all of `commands` to one shard under one lock, and leaves the array empty with its capacity.
    package func send(contentsOf commands: inout [GatewayCommand], toShard shard: Int) {
        self.mailboxes.send(contentsOf: &commands, toShard: shard)
    }

    /// Delivers a message to the application for a connection of its shard, from any thread.
    package func deliver(_ message: Application.Message, to id: ConnectionID) {
        self.mailboxes.deliver(message, to: id)
    }

    /// Responds to a request from any thread.
    package func respond(_ id: RequestID, _ response: HTTPResponse) { self.mailboxes.respond(id, response) }

    /// The heartbeats of the loops: one for each shard, and one for the accepting thread.
    package var heartbeats: [Heartbeat] { self.mailboxes.all.map(\.heartbeat) + [self.acceptor.heartbeat] }

    /// The counters since the start.
    package var metrics: GatewayMetrics {
        var metrics = GatewayMetrics()
        for counters in self.counters { counters.add(to: &metrics) }
        self.acceptRefusals.add(to: &metrics)
        metrics.mailboxDepths = self.mailboxes.all.map(\.commands.count)
        return metrics
    }

    // MARK: Shutdown

    /// Refuses new WebSockets with 503 from now on.
    ///
    /// HTTP requests are still served.
    func beginDraining() { self.shared.isDraining = true }

    /// Shuts the gateway down in order, without losing frames that are already written.
    ///
    /// Refuses new WebSockets, sends `farewell` to every open one, closes them in batches with `code`, waits for the
    /// writes, and stops the threads. Call it once.
    ///
    /// Blocks the calling thread, which must not belong to Swift's cooperative pool.
    ///
    /// - Parameters:
    ///   - farewell: the payload of a last frame.
    ///   - code: the close code that clients see.
    ///   - timeout: milliseconds after which the remaining connections are cut.
    package func shutDown(farewell: [UInt8]?, code: CloseCode, timeout: Int64) {
        self.beginDraining()
        let latch = CountdownLatch(count: self.mailboxes.count)
        for mailbox in self.mailboxes.all {
            mailbox.orders.send(.drain(farewell: farewell, code, done: { latch.countDown() }))
        }
        let isDrained = latch.wait(until: self.clock.milliseconds + timeout, clock: self.clock)
        self.acceptor.stop()
        for mailbox in self.mailboxes.all { mailbox.orders.send(.stop) }
        for thread in self.threads { thread.join() }
        DescriptorLimit.release(self.descriptors)
        self.log(LogEvent(.info, "gateway stopped", [("gateway.drained", "\(isDrained)")]))
    }

    // MARK: Startup

    private static func startShards(
        mailboxes: [ShardMailbox],
        counters: [ShardCounters],
        launch: ShardLaunch,
        acceptor: Acceptor,
        makeApplication: @escaping @Sendable (any GatewayShard) -> Application
    ) throws(GatewayError) -> [WorkerThread] {
        let failure = Mutex<GatewayError?>(nil)
        var threads: [WorkerThread] = []
        for index in mailboxes.indices {
            let started = StartGate()
            threads.append(
                WorkerThread(
                    name: "muster-gw-\(index)",
                    processor: launch.configuration.processor(ofShard: index),
                    urgency: .preferred
                ) {
                    launch.run(
                        index: index,
                        mailbox: mailboxes[index],
                        counters: counters[index],
                        started: started,
                        makeApplication: makeApplication
                    )
                }
            )
            if let error = started.wait() {
                failure.withLock { $0 = error }
                break
            }
        }
        if let error = failure.withLock({ $0 }) {
            for mailbox in mailboxes { mailbox.orders.send(.stop) }
            for thread in threads { thread.join() }
            acceptor.stop()
            throw error
        }
        return threads
    }

    private func startAccepting(_ configuration: GatewayConfiguration) {
        let mailboxes = self.mailboxes.all
        let refusals = self.acceptRefusals
        let headers = configuration.responseHeaders
        let speaksTLS = configuration.tls != nil
        let turn = Atomic<Int>(0)
        let stallReport = configuration.stallReport
        self.acceptor.start(
            clock: self.clock,
            admissions: self.shared.admissions,
            isStalled: { mailboxes.allSatisfy(\.heartbeat.isStalled) },
            refuse: { reason in
                refusals.refused(reason)
                guard !speaksTLS else { return nil }
                var bytes: [UInt8] = []
                let response: HTTPResponse =
                    reason == .stalled
                    ? .problem(503, code: "unavailable", detail: stallReport(), retryAfter: 10) : reason.response
                ResponseWriter.append(response, common: headers, omitsBody: false, closes: true, to: &bytes)
                return bytes
            },
            accept: { descriptor, address in
                let next = turn.wrappingAdd(1, ordering: .relaxed).oldValue
                // Skips shards that have stalled.
                let mailbox = (0..<mailboxes.count).lazy.map { mailboxes[(next + $0) % mailboxes.count] }.first {
                    !$0.heartbeat.isStalled
                }
                (mailbox ?? mailboxes[next % mailboxes.count]).orders.send(
                    .adopt(descriptor: descriptor, address: address)
                )
            }
        )
    }
}
