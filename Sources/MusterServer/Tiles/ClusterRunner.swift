import EventLoop
import MusterCore
import MusterWire
import Synchronization
import WebSocketGateway

/// The destinations of the cluster service's effects.
struct ClusterOutlets: Sendable {
    let shards: any ShardOutlet
    let reads: PendingAnswers<TileAnswer>
    let encodings: TileEncodings
    let world: any WorldLink
}

/// Runs the cluster service iteration by iteration: applies pending inputs, works for a limited time, and delivers the
/// effects.
final class ClusterRunner {
    /// The work time of an iteration, in nanoseconds; at least one piece of work is done.
    private static let worktime: Int64 = 2_000_000

    private var clusters: ClusterService
    private let topics: [UInt8: TileTopic]
    private let tick: Int64
    private let clock: MonotonicClock
    private let outlets: ClusterOutlets
    private let inbox: ClusterInbox
    private var outbox: TopicOutbox
    private var nextTick: Int64
    private var iterations = Histogram.seconds
    /// The total duration of the work at the ends of iterations, in nanoseconds.
    private var workTime: Int64 = 0

    /// Inputs that no iteration has applied yet.
    private var backlog = ClusterBacklog()

    // Reused across iterations for their capacity.
    private var inputs: [ClusterInput] = []
    private var effects: [ClusterEffect] = []

    init(
        _ table: LayerTable,
        tick: Int64,
        clock: MonotonicClock,
        outlets: ClusterOutlets,
        inbox: ClusterInbox,
        unfollowed: Mailbox<UnfollowedTopic>
    ) {
        self.clusters = ClusterService(table)
        self.topics = Dictionary(uniqueKeysWithValues: table.kinds.map { ($0.number, TileTopic($0)) })
        self.tick = tick
        self.clock = clock
        self.outlets = outlets
        self.inbox = inbox
        self.outbox = TopicOutbox(to: outlets.shards, unfollowed: unfollowed)
        self.nextTick = clock.milliseconds + tick
    }

    /// How long the thread may wait for inputs.
    var millisecondsToIteration: Int64 {
        guard !self.clusters.hasWork, self.backlog.isEmpty else { return 0 }
        return max(0, self.nextTick - self.clock.milliseconds)
    }

    /// Applies pending inputs, ticks when a tick is due, works for a limited time, and delivers the effects.
    func iterate(reporting statistics: borrowing Mutex<ClusterReport>) {
        self.inbox.drain(into: &self.backlog)
        self.backlog.dequeue(into: &self.inputs)
        let now = Timestamp(milliseconds: self.clock.wallMilliseconds)
        let started = self.clock.nanoseconds
        self.outbox.closeMirrors()
        self.clusters.apply(self.inputs, at: now, into: &self.effects)
        let isTick = started / 1_000_000 >= self.nextTick
        if isTick {
            self.nextTick = started / 1_000_000 + self.tick
            self.clusters.tick(at: now, into: &self.effects)
        }
        Processors.yieldThread()
        let began = self.clock.nanoseconds
        self.execute()
        // The encoding of the effects counts as a part of the work.
        while self.clusters.work(into: &self.effects), self.clock.nanoseconds < began + Self.worktime {
            self.execute()
            Processors.yieldThread()
        }
        self.execute()
        self.workTime += self.clock.nanoseconds - began
        self.outbox.deliver()
        self.iterations.observe(Double(self.clock.nanoseconds - started) / 1e9)
        guard isTick else { return }
        let report = ClusterReport(
            clusters: self.clusters.statistics,
            iterations: self.iterations,
            workSeconds: Double(self.workTime) / 1e9
        )
        statistics.withLock { $0 = report }
    }

    private func execute() {
        for effect in self.effects { self.execute(effect) }
        self.effects.removeAll(keepingCapacity: true)
    }

    private func execute(_ effect: ClusterEffect) {
        switch effect {
        case .refused(.session(let session, let tag), let refusal):
            self.send(ServerFrame.error(FrameError(refusal).tagged(tag)).encoded, to: session)
        case .refused(.request(let request), let refusal):
            self.outlets.reads.resolve(request, .failure(FrameError(refusal)))
        case .confirmed(let asker, let subscription, let tiles):
            self.answer(asker, TilesWatchAnswer(subscription: subscription, tiles: tiles))
        case .done(let asker):
            self.answer(asker, NoAnswer())
            if case .request(let request) = asker { self.outlets.reads.resolve(request, .success(.done)) }
        case .cluster(let asker, let summary):
            self.answer(asker, ClusterAnswer(summary))
            if case .request(let request) = asker { self.outlets.reads.resolve(request, .success(.cluster(summary))) }
        case .tile(let asker, let content):
            if case .request(let request) = asker { self.outlets.reads.resolve(request, .success(.tile(content))) }
        case .leaves(let asker, _, let points, let next):
            if case .request(let request) = asker {
                self.outlets.reads.resolve(request, .success(.leaves(points, next: next)))
            }
        case .layerUnsubscribed(let session, let layer):
            self.outlets.world.send(.tilesUnsubscribed(session, layer))
        case .subscribed(let session, let layer, let tile):
            self.outbox.subscribe(ConnectionID(session), to: TileTopic.id(layer, tile)) {
                self.clusters.content(of: tile, in: layer).flatMap { self.topics[layer.kind]?.snapshot($0) }
            }
        case .unsubscribed(let session, let layer, let tile):
            self.outbox.unsubscribe(ConnectionID(session), from: TileTopic.id(layer, tile))
        case .changed(let change):
            guard let topic = self.topics[change.layer.kind] else { return }
            self.outbox.update(TileTopic.id(change.layer, change.tile)) { topic.change(change) }
        case .closed(let layer, let tile):
            self.outbox.close(TileTopic.id(layer, tile))
            self.outlets.encodings.remove(layer, tile)
        }
    }

    /// Answers a session whose request has a tag.
    private func answer(_ asker: ClusterRequester, _ answer: some Encodable) {
        guard case .session(let session, let tag?) = asker else { return }
        self.send(Frame.ok(tag, answer).encoded, to: session)
    }

    private func send(_ frame: [UInt8], to session: SessionID) {
        let connection = ConnectionID(session)
        self.outbox.send(.send(connection, frame: frame), toShard: connection.shard)
    }
}

@available(*, unavailable)
extension ClusterRunner: Sendable {}
