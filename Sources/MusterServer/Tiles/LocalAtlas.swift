import EventLoop
import MusterCore
import Synchronization

/// The atlas of this process, on a thread of its own, so that maps never delay the world.
final class LocalAtlas: AtlasLink {
    private let inbox: AtlasInbox
    private let unfollowed: Mailbox<UnfollowedTopic>
    private let wake: WakeSignal
    /// Marks the iterations.
    let heartbeat: Heartbeat
    private let isStopping = Atomic(false)
    private let statistics = Mutex(AtlasReport())
    private let thread = Mutex<WorkerThread?>(nil)

    /// Creates an atlas.
    ///
    /// It accepts inputs from now on, and applies them once it is started.
    init() {
        let wake = WakeSignal()
        self.wake = wake
        let inbox = AtlasInbox { wake.raise() }
        self.inbox = inbox
        self.heartbeat = Heartbeat("atlas", hasInput: { inbox.isWakeRequested })
        self.unfollowed = Mailbox { wake.raise() }
    }

    /// Starts the thread, which yields to the threads of the world and the shards.
    func start(
        _ table: LayerTable = .muster,
        tick: Int64,
        clock: MonotonicClock,
        outlets: AtlasOutlets
    ) {
        let thread = WorkerThread(name: "atlas") { [self] in
            let turner = AtlasTurner(
                table,
                tick: tick,
                clock: clock,
                outlets: outlets,
                inbox: self.inbox,
                unfollowed: self.unfollowed
            )
            while !self.isStopping.load(ordering: .acquiring) {
                self.wake.wait(timeoutMilliseconds: Int32(clamping: turner.millisecondsToTurn))
                self.heartbeat.begin()
                turner.turn(reporting: self.statistics)
                self.heartbeat.end()
            }
        }
        self.thread.withLock { $0 = thread }
    }

    func send(contentsOf inputs: inout [AtlasInput]) { self.inbox.send(contentsOf: &inputs) }

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

    var metrics: AtlasReport { self.statistics.withLock { $0 } }
}
