import EventLoop
import MusterCore
import MusterStore
import MusterWire
import Synchronization
import WebSocketGateway

// One thread at a time has the world, by a lock that is hardly ever waited for. Mostly that is the world's own. But a wake of
// a thread costs as much as several fixes do, and with little to do every fix would take two: the shard's that hands it over,
// and the world's that hands back what comes of it. So a shard that has only a few inputs stands in for the world's thread,
// and writes what comes of them in the same turn of its loop. When it has more, both have enough to do at once.
//
// With 5,000 fixes a second from 1,000 sessions that, and the rest of topics that it allows (`topicPacer`), halved what a fix
// costs the server, 155 to 80 µs; with 2,000 from 10,000, 169 to 121 µs.

/// What a shard says of a topic that nobody there follows any more; see `TopicDirectory`.
struct UnfollowedTopic: Sendable {
    let topic: TopicID
    let shard: Int
    /// The last subscription that the shard knew of.
    let number: UInt64
}

/// Runs the world: feeds it what happened, and carries out what it asks for.
///
/// The world turns once a batch of inputs: it reads the clock once, applies all that waits, ticks when it is time,
/// and hands each gateway shard, the journal and the directory what is theirs in one batch.
final class WorldHost: Sendable {
    /// Where the world's effects go.
    struct Outlets: Sendable {
        let gateway: Gateway<SessionApplication>
        let journal: Journal
        let directory: Directory
        let reports: PendingReports
        let terms: ServerTerms
        let flow: FlowControl
    }

    /// Inputs for which a shard stands in for the world's thread, at most: they take it about as long as a wake does.
    private static let fewInputs = 8

    /// Where inputs for the world go.
    let mailbox: Mailbox<WorldInput>
    /// Where shards say that nobody there follows a topic any more.
    let unfollowed: Mailbox<UnfollowedTopic>

    private let wake: WakeSignal
    /// Whoever holds it has the world; nil before the start and after the end.
    private let turner = Mutex<WorldTurner?>(nil)
    private let isStopping = Atomic(false)
    private let statistics = Mutex(WorldStatistics())
    private let thread = Mutex<WorkerThread?>(nil)

    /// Prepares a world; it takes inputs from now on, and does something about them once it is started.
    init() {
        let wake = WakeSignal()
        self.wake = wake
        self.mailbox = Mailbox { wake.raise() }
        self.unfollowed = Mailbox { wake.raise() }
    }

    /// Starts the thread.
    ///
    /// It is bound to no processor, not even where the gateways are: beside a gateway that fills one, the world had to
    /// wait for it while others were idle (28,000 fixes/s from 10,000 sessions: p99 staleness 73 ms instead of 128).
    func start(
        _ configuration: WorldConfiguration,
        tick: Int64,
        clock: MonotonicClock,
        outlets: Outlets
    ) {
        let thread = WorkerThread(name: "world", urgency: .preferred) { [self] in
            self.turner.withLock {
                $0 = WorldTurner(
                    configuration,
                    tick: tick,
                    clock: clock,
                    outlets: outlets,
                    mailbox: self.mailbox,
                    unfollowed: self.unfollowed
                )
            }
            var pause: Int64 = 0
            while !self.isStopping.load(ordering: .acquiring) || self.mailbox.count > 0 {
                self.wake.wait(timeoutMilliseconds: Int32(pause))
                pause = self.turner.withLock { turner in
                    turner?.turn(mayTick: true, reporting: self.statistics)
                    return turner?.millisecondsToTick ?? 0
                }
            }
            // It knows the gateway, whose shards know this.
            self.turner.withLock { $0 = nil }
        }
        self.thread.withLock { $0 = thread }
    }

    /// Takes over what a shard has for the world, on the shard's thread; what comes of a few inputs is in the shard's
    /// mailbox when it returns.
    ///
    /// - Parameter inputs: left empty, with its capacity.
    /// - Returns: the number of inputs that waited, for shards that hold back when it grows.
    func take(_ inputs: inout [WorldInput]) -> Int {
        self.mailbox.send(contentsOf: &inputs) { depth in depth <= Self.fewInputs && self.turnHere() }
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
            turner.turn(mayTick: false, reporting: self.statistics)
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

    /// What the world has done so far, as of the last tick.
    var metrics: WorldStatistics { self.statistics.withLock { $0 } }
}
