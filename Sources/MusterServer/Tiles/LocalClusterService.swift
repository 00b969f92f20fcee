import EventLoop
import MusterCore
import Synchronization

/// The cluster service of this process, on a thread of its own, so that maps never delay the world.
final class LocalClusterService: ClusterLink {
    private let inbox: ClusterInbox
    private let unfollowed: Mailbox<UnfollowedTopic>
    private let wake: WakeSignal
    /// Marks the iterations.
    let heartbeat: Heartbeat
    private let isStopping = Atomic(false)
    private let statistics = Mutex(ClusterReport())
    private let thread = Mutex<WorkerThread?>(nil)

    /// Creates a cluster service.
    ///
    /// It accepts inputs from now on, and applies them once it is started.
    init() {
        let wake = WakeSignal()
        self.wake = wake
        let inbox = ClusterInbox { wake.raise() }
        self.inbox = inbox
        self.heartbeat = Heartbeat("atlas", hasInput: { inbox.isWakeRequested })
        self.unfollowed = Mailbox { wake.raise() }
    }

    /// Starts the thread, which yields to the threads of the world and the shards.
    func start(
        _ table: LayerTable = .muster,
        tick: Int64,
        clock: MonotonicClock,
        outlets: ClusterOutlets
    ) {
        let thread = WorkerThread(name: "atlas") { [self] in
            let runner = ClusterRunner(
                table,
                tick: tick,
                clock: clock,
                outlets: outlets,
                inbox: self.inbox,
                unfollowed: self.unfollowed
            )
            while !self.isStopping.load(ordering: .acquiring) {
                self.wake.wait(timeoutMilliseconds: Int32(clamping: runner.millisecondsToIteration))
                self.heartbeat.begin()
                runner.iterate(reporting: self.statistics)
                self.heartbeat.end()
            }
        }
        self.thread.withLock { $0 = thread }
    }

    func send(contentsOf inputs: inout [ClusterInput]) { self.inbox.send(contentsOf: &inputs) }

    func unfollowed(_ topic: UnfollowedTopic) { self.unfollowed.send(topic) }

    /// Ends the thread.
    ///
    /// Pending inputs are dropped, because their results are no longer needed.
    ///
    /// Blocks.
    func stop() {
        self.isStopping.store(true, ordering: .releasing)
        self.wake.raise()
        self.thread.withLock { $0.take() }?.join()
    }

    var metrics: ClusterReport { self.statistics.withLock { $0 } }
}
