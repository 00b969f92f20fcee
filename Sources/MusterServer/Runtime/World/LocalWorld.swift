import EventLoop
import MusterCore
import Synchronization

// One thread at a time owns the world, through a lock with almost no contention. Usually it is the world's own thread.
// But waking a thread costs as much as several fixes. Under low load every fix would need two wakes: of the world's
// thread for the input, and of the shard's thread for the effects. So a shard with only a few inputs runs the world on
// its own thread. It then writes the effects in the same iteration of its loop. With more inputs, both threads have
// enough work to run in parallel.

/// The world of this process: passes inputs to it and executes its effects.
///
/// The world processes inputs in batches. For each batch it reads the clock once, applies all pending inputs, and ticks
/// when a tick is due. Each gateway shard, the journal and the directory receive their effects in one batch.
final class LocalWorld: WorldLink {
    /// The maximum number of inputs for which a shard runs the world itself.
    ///
    /// They take about as long as waking a thread.
    private static let fewInputs = 8

    private let mailbox: Mailbox<WorldInput>
    private let unfollowed: Mailbox<UnfollowedTopic>
    private let gate = IntakeGate()
    private let wake: WakeSignal
    /// Marks each batch, on the thread that runs it; that thread holds `runner`.
    let heartbeat: Heartbeat
    /// The thread that holds this lock owns the world.
    ///
    /// The value is nil before the start and after the end.
    private let runner = Mutex<WorldRunner?>(nil)
    private let isStopping = Atomic(false)
    private let statistics = Mutex(WorldStatistics())
    private let thread = Mutex<WorkerThread?>(nil)

    /// Creates a world.
    ///
    /// It accepts inputs from now on, and applies them once it is started.
    init() {
        let wake = WakeSignal()
        self.wake = wake
        let mailbox = Mailbox<WorldInput> { wake.raise() }
        self.mailbox = mailbox
        self.heartbeat = Heartbeat("world", hasInput: { mailbox.count > 0 })
        self.unfollowed = Mailbox { wake.raise() }
    }

    /// Starts the thread.
    ///
    /// The thread is not pinned to a processor, even if the gateways are. On a processor that a gateway saturates, the
    /// world would wait while other processors are idle.
    func start(
        _ configuration: WorldConfiguration,
        tick: Int64,
        clock: MonotonicClock,
        outlets: WorldOutlets
    ) {
        let thread = WorkerThread(name: "world", urgency: .preferred) { [self] in
            self.runner.withLock {
                $0 = WorldRunner(
                    configuration,
                    tick: tick,
                    clock: clock,
                    outlets: outlets,
                    mailbox: self.mailbox,
                    unfollowed: self.unfollowed,
                    gate: self.gate
                )
            }
            var pause: Int64 = 0
            while !self.isStopping.load(ordering: .acquiring) || self.mailbox.count > 0 {
                self.wake.wait(timeoutMilliseconds: Int32(pause))
                pause = self.runner.withLock { runner in
                    self.heartbeat.begin()
                    runner?.iterate(mayTick: true, reporting: self.statistics)
                    self.heartbeat.end()
                    return runner?.millisecondsToTick ?? 0
                }
            }
            // Breaks a reference cycle: the runner refers to the gateway, whose shards refer to this object.
            self.runner.withLock { $0 = nil }
        }
        self.thread.withLock { $0 = thread }
    }

    func send(_ input: WorldInput) { self.mailbox.send(input) }

    func send(contentsOf inputs: inout [WorldInput]) { self.mailbox.send(contentsOf: &inputs) }

    func unfollowed(_ topic: UnfollowedTopic) { self.unfollowed.send(topic) }

    /// The effects of a few inputs are in the shard's mailbox when this method returns.
    func deliver(_ inputs: inout [WorldInput]) -> WorldIntake {
        let waiting = self.mailbox.send(contentsOf: &inputs) { depth in depth <= Self.fewInputs && self.iterateHere() }
        return self.gate.intake(waiting: waiting)
    }

    /// Runs one batch of the world on this thread, unless another thread owns the world.
    ///
    /// A tick may take long and is left to the world's own thread. So are inputs that arrive when a tick is due: the
    /// journal then receives both in one batch.
    ///
    /// - Returns: whether a batch was run.
    private func iterateHere() -> Bool {
        self.runner.withLockIfAvailable { runner in
            guard let runner, runner.millisecondsToTick > 0 else { return false }
            self.heartbeat.begin()
            runner.iterate(mayTick: false, reporting: self.statistics)
            self.heartbeat.end()
            return true
        } ?? false
    }

    /// Applies pending inputs, and ends the thread.
    ///
    /// Blocks.
    func stop() {
        self.isStopping.store(true, ordering: .releasing)
        self.wake.raise()
        self.thread.withLock { $0.take() }?.join()
    }

    var metrics: WorldStatistics { self.statistics.withLock { $0 } }
}
