import EventLoop
import Synchronization

/// The parameters that all shards of a gateway start with.
struct ShardLaunch: Sendable {
    let configuration: GatewayConfiguration
    let kinds: TopicKinds
    let clock: MonotonicClock
    let shared: GatewayShared

    /// The main function of a shard's thread.
    func run<Application: GatewayApplication>(
        index: Int,
        mailbox: ShardMailbox,
        counters: ShardCounters,
        started: StartGate,
        makeApplication: (any GatewayShard) -> Application
    ) {
        let core = ShardCore(
            index: index,
            configuration: self.configuration,
            kinds: self.kinds,
            clock: self.clock,
            counters: counters,
            shared: self.shared,
            heartbeat: mailbox.heartbeat,
            post: { mailbox.commands.send($0) }
        )
        do {
            let loop = try ServiceLoop(configuration: self.configuration, wake: mailbox.wake, events: core)
            core.loop = loop
            let shard = Shard(core: core, loop: loop, mailbox: mailbox, makeApplication: makeApplication)
            started.open(nil)
            shard.run()
            mailbox.heartbeat.end()
        } catch {
            started.open(error)
        }
    }
}

/// The state that a gateway's threads share.
final class GatewayShared: Sendable {
    let admissions: AdmissionBook
    let staticFiles: StaticFiles
    private let draining = Atomic<Bool>(false)
    private let gate: RepeatGate
    private let log: @Sendable (LogEvent) -> Void

    init(
        admissions: AdmissionBook,
        staticFiles: StaticFiles,
        clock: MonotonicClock,
        log: @escaping @Sendable (LogEvent) -> Void
    ) {
        self.admissions = admissions
        self.staticFiles = staticFiles
        self.gate = RepeatGate(clock: clock)
        self.log = log
    }

    /// Logs an event that clients can cause at any rate, at most once a minute for each `subject`.
    func logOnce(_ event: LogEvent, about subject: String) {
        if self.gate.admits("\(event.message) \(subject)") { self.log(event) }
    }

    /// Whether new WebSockets are refused.
    var isDraining: Bool {
        get { self.draining.load(ordering: .relaxed) }
        set { self.draining.store(newValue, ordering: .relaxed) }
    }
}
