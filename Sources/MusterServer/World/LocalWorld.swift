import EventLoop
import MusterCore
import Synchronization

// One thread at a time has the world, by a lock that is hardly ever waited for. Mostly that is the world's own. But a wake of
// a thread costs as much as several fixes do, and with little to do every fix would take two: the shard's that hands it over,
// and the world's that hands back what comes of it. So a shard that has only a few inputs stands in for the world's thread,
// and writes what comes of them in the same turn of its loop. When it has more, both have enough to do at once.

/// The world of this process: feeds it what happened, and carries out what it asks for.
///
/// The world turns once a batch of inputs: it reads the clock once, applies all that waits, ticks when it is time,
/// and hands each gateway shard, the journal and the directory what is theirs in one batch.
final class LocalWorld: WorldLink {
    /// Inputs for which a shard stands in for the world's thread, at most: they take it about as long as a wake does.
    private static let fewInputs = 8

    private let mailbox: Mailbox<WorldInput>
    private let unfollowed: Mailbox<UnfollowedTopic>
    private let gate = IntakeGate()
    private let wake: WakeSignal
    /// Marks the turns, on whichever thread they are: whoever marks holds `turner`.
    let heartbeat: Heartbeat
    /// Whoever holds it has the world; nil before the start and after the end.
    private let turner = Mutex<WorldTurner?>(nil)
    private let isStopping = Atomic(false)
    private let statistics = Mutex(WorldStatistics())
    private let thread = Mutex<WorkerThread?>(nil)

    /// Prepares a world; inputs may be handed over from now on, and are applied once it is started.
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
    /// It is bound to no processor, not even where the gateways are: beside a gateway that fills one, the world would wait
    /// for it while others are idle.
    func start(
        _ configuration: WorldConfiguration,
        tick: Int64,
        clock: MonotonicClock,
        outlets: WorldOutlets
    ) {
        let thread = WorkerThread(name: "world", urgency: .preferred) { [self] in
            self.turner.withLock {
                $0 = WorldTurner(
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
                pause = self.turner.withLock { turner in
                    self.heartbeat.begin()
                    turner?.turn(mayTick: true, reporting: self.statistics)
                    self.heartbeat.end()
                    return turner?.millisecondsToTick ?? 0
                }
            }
            // It knows the gateway, whose shards know this.
            self.turner.withLock { $0 = nil }
        }
        self.thread.withLock { $0 = thread }
    }

    func send(_ input: WorldInput) { self.mailbox.send(input) }

    func send(contentsOf inputs: inout [WorldInput]) { self.mailbox.send(contentsOf: &inputs) }

    func unfollowed(_ topic: UnfollowedTopic) { self.unfollowed.send(topic) }

    /// What comes of a few inputs is in the shard's mailbox when it returns.
    func deliver(_ inputs: inout [WorldInput]) -> WorldIntake {
        let waiting = self.mailbox.send(contentsOf: &inputs) { depth in depth <= Self.fewInputs && self.turnHere() }
        return self.gate.intake(waiting: waiting)
    }

    /// Lets the world turn on this thread, unless another has it.
    ///
    /// A tick, which may take long, is left to the world's own, and what comes when it is due with it: so that the journal
    /// has all of it in one batch.
    ///
    /// - Returns: whether it turned.
    private func turnHere() -> Bool {
        self.turner.withLockIfAvailable { turner in
            guard let turner, turner.millisecondsToTick > 0 else { return false }
            self.heartbeat.begin()
            turner.turn(mayTick: false, reporting: self.statistics)
            self.heartbeat.end()
            return true
        } ?? false
    }

    /// Applies what waits, and ends the thread.
    ///
    /// Blocks.
    func stop() {
        self.isStopping.store(true, ordering: .releasing)
        self.wake.raise()
        self.thread.withLock { $0.take() }?.join()
    }

    var metrics: WorldStatistics { self.statistics.withLock { $0 } }
}
