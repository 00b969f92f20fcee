import EventLoop
import MusterCore
import MusterWire
import Synchronization
import WebSocketGateway

/// The destinations of the atlas's effects.
struct AtlasOutlets: Sendable {
    let shards: any ShardOutlet
    let reads: PendingAnswers<TileAnswer>
    let encodings: TileEncodings
    let world: any WorldLink
}

/// Runs the atlas iteration by iteration: applies pending inputs, works for a limited time, and delivers the effects.
final class AtlasTurner {
    /// The work time of an iteration, in nanoseconds; at least one piece of work is done.
    private static let worktime: Int64 = 2_000_000

    private var atlas: Atlas
    private let topics: [UInt8: TileTopic]
    private let tick: Int64
    private let clock: MonotonicClock
    private let outlets: AtlasOutlets
    private let inbox: AtlasInbox
    private var post: TopicPost
    private var nextTick: Int64
    private var turns = Histogram.seconds
    /// The total duration of the work at the ends of iterations, in nanoseconds.
    private var workTime: Int64 = 0

    /// Inputs that no iteration has applied yet.
    private var backlog = AtlasBacklog()

    // Reused across iterations for their capacity.
    private var inputs: [AtlasInput] = []
    private var effects: [AtlasEffect] = []

    init(
        _ table: LayerTable,
        tick: Int64,
        clock: MonotonicClock,
        outlets: AtlasOutlets,
        inbox: AtlasInbox,
        unfollowed: Mailbox<UnfollowedTopic>
    ) {
        self.atlas = Atlas(table)
        self.topics = Dictionary(uniqueKeysWithValues: table.kinds.map { ($0.number, TileTopic($0)) })
        self.tick = tick
        self.clock = clock
        self.outlets = outlets
        self.inbox = inbox
        self.post = TopicPost(to: outlets.shards, unfollowed: unfollowed)
        self.nextTick = clock.milliseconds + tick
    }

    /// How long the thread may wait for inputs.
    var millisecondsToTurn: Int64 {
        guard !self.atlas.hasWork, self.backlog.isEmpty else { return 0 }
        return max(0, self.nextTick - self.clock.milliseconds)
    }

    /// Applies pending inputs, ticks when a tick is due, works for a limited time, and delivers the effects.
    func turn(reporting statistics: borrowing Mutex<AtlasReport>) {
        self.inbox.drain(into: &self.backlog)
        self.backlog.dequeue(into: &self.inputs)
        let now = Timestamp(milliseconds: self.clock.wallMilliseconds)
        let started = self.clock.nanoseconds
        self.post.closeMirrors()
        self.atlas.apply(self.inputs, at: now, into: &self.effects)
        let isTick = started / 1_000_000 >= self.nextTick
        if isTick {
            self.nextTick = started / 1_000_000 + self.tick
            self.atlas.tick(at: now, into: &self.effects)
        }
        Processors.yieldThread()
        let began = self.clock.nanoseconds
        self.carryOut()
        // The encoding of the effects counts as a part of the work.
        while self.atlas.work(into: &self.effects), self.clock.nanoseconds < began + Self.worktime {
            self.carryOut()
            Processors.yieldThread()
        }
        self.carryOut()
        self.workTime += self.clock.nanoseconds - began
        self.post.deliver()
        self.turns.observe(Double(self.clock.nanoseconds - started) / 1e9)
        guard isTick else { return }
        let report = AtlasReport(
            atlas: self.atlas.statistics,
            turns: self.turns,
            workSeconds: Double(self.workTime) / 1e9
        )
        statistics.withLock { $0 = report }
    }

    private func carryOut() {
        for effect in self.effects { self.carryOut(effect) }
        self.effects.removeAll(keepingCapacity: true)
    }

    private func carryOut(_ effect: AtlasEffect) {
        switch effect {
        case .refused(.session(let session, let tag), let refusal):
            self.send(ServerFrame.error(FrameError(refusal).tagged(tag)).encoded, to: session)
        case .refused(.request(let request), let refusal):
            self.outlets.reads.resolve(request, .failure(FrameError(refusal)))
        case .watching(let asker, let watch, let tiles):
            self.answer(asker, TilesWatchAnswer(watch: watch, tiles: tiles))
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
        case .unwatched(let session, let layer):
            self.outlets.world.send(.tilesUnwatched(session, layer))
        case .subscribed(let session, let layer, let tile):
            self.post.subscribe(ConnectionID(session), to: TileTopic.id(layer, tile)) {
                self.atlas.content(of: tile, in: layer).flatMap { self.topics[layer.kind]?.snapshot($0) }
            }
        case .unsubscribed(let session, let layer, let tile):
            self.post.unsubscribe(ConnectionID(session), from: TileTopic.id(layer, tile))
        case .changed(let change):
            guard let topic = self.topics[change.layer.kind] else { return }
            self.post.update(TileTopic.id(change.layer, change.tile)) { topic.change(change) }
        case .closed(let layer, let tile):
            self.post.close(TileTopic.id(layer, tile))
            self.outlets.encodings.remove(layer, tile)
        }
    }

    /// Answers a session whose request has a tag.
    private func answer(_ asker: AtlasAsker, _ answer: some Encodable) {
        guard case .session(let session, let tag?) = asker else { return }
        self.send(Frame.ok(tag, answer).encoded, to: session)
    }

    private func send(_ frame: [UInt8], to session: SessionID) {
        let connection = ConnectionID(session)
        self.post.send(.send(connection, frame: frame), toShard: connection.shard)
    }
}

@available(*, unavailable)
extension AtlasTurner: Sendable {}
