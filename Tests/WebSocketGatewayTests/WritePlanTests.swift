import EventLoop
import Testing

@testable import WebSocketGateway

@Suite("The plan of a turn's writing")
struct WritePlanTests {
    private static let id = TopicID(kind: 1, key: 81)
    private static let millisecond: Int64 = 1_000_000

    /// A plan with a topic at version 1.
    ///
    /// Its followers are entries of it, with keys from 1 on.
    private final class Fixture {
        var plan: WritePlan
        let channel: TopicChannel
        let connections: [Connection]
        private let sockets: [MemorySocket]
        private let core: ShardCore
        private var version: UInt64 = 1

        init(rest: Int64, followers: Int = 3, rules: TopicRules = TopicRules(knowsOwnEntry: true)) {
            // A throttle interval that does not depend on the cost of writing.
            self.plan = WritePlan(topicPacer: Pacer(share: rest, shortest: 0, longest: rest))
            self.plan.endWriting(cost: 1000, time: 1000)
            _ = self.plan.endIteration()
            let configuration = GatewayConfiguration()
            let core = ShardCore(
                index: 0,
                configuration: configuration,
                kinds: [:],
                clock: .system,
                counters: ShardCounters(),
                shared: GatewayShared(
                    admissions: AdmissionBook(limits: configuration.limits),
                    staticFiles: StaticFiles(mounts: []),
                    clock: .system,
                    log: { _ in }
                ),
                post: { _ in }
            )
            self.core = core
            self.channel = TopicChannel(
                TopicSnapshot(id: WritePlanTests.id, epoch: "e", version: 1, entries: []),
                kind: LineFormat(rules: rules)
            )
            self.sockets = (0..<followers).map { _ in MemorySocket(subprotocol: "") }
            self.connections = self.sockets.map { core.open(.memory(.passUnretained($0)), host: nil) }
            for (index, connection) in self.connections.enumerated() {
                connection.followerKey = Int64(index + 1)
                let subscription = Subscription(
                    connection: connection,
                    channel: self.channel,
                    progress: .sent(1),
                    lowestKey: .min
                )
                self.channel.add(subscription)
                connection.subscriptions.append(subscription)
            }
        }

        /// Moves the follower with a key, or changes its stable part.
        func change(_ key: Int64, isStable: Bool = false, at time: Int64) {
            self.version += 1
            let entry =
                isStable
                ? TopicChange.Entry(key: key, stable: [0x61]) : TopicChange.Entry(key: key, volatile: [0x61])
            let change = TopicChange(topic: WritePlanTests.id, version: self.version, entries: [entry])
            guard self.channel.apply(change) else { return }
            self.plan.announce(change, of: self.channel, at: time)
        }

        /// Writes due updates, and returns the keys of their followers.
        func write(at time: Int64) -> [Int64] {
            guard self.plan.hasDue else { return [] }
            self.plan.beginWriting(at: time)
            var written: [Int64] = []
            var batch: [Connection?] = []
            while self.plan.nextBatch(&batch) {
                for index in batch.indices {
                    guard let connection = batch[index].take() else { continue }
                    connection.isDue = false
                    connection.waitsSince = nil
                    for subscription in connection.subscriptions.few { subscription.isQueued = false }
                    connection.outgoing.removeAll()
                    written.append(connection.followerKey ?? 0)
                }
            }
            self.plan.endWriting(cost: 1000, time: 1000)
            _ = self.plan.endIteration()
            return written.sorted()
        }
    }

    @Test("who moved waits for something to go along with, all others are told at once")
    func ownMove() {
        let fixture = Fixture(rest: 0)
        fixture.change(2, at: 0)
        #expect(fixture.write(at: 0) == [1, 3])
        fixture.plan.advance(to: 50 * Self.millisecond)
        #expect(fixture.write(at: 50 * Self.millisecond) == [2], "nothing came: it has waited for long enough")
    }

    @Test("of tiles a connection follows hundreds, and no answer looks at them")
    func manyTopics() {
        let rules = TopicRules(pacing: .atOnce, joinsTopics: true)
        let fixture = Fixture(rest: 0, followers: 1)
        let connection = fixture.connections[0]
        let tiles = (1...512).map { part in
            let id = TopicID(kind: 2, key: 0, part: Int64(part))
            let snapshot = TopicSnapshot(id: id, epoch: "e", version: 1, entries: [])
            let channel = TopicChannel(snapshot, kind: LineFormat(rules: rules))
            return Subscription(connection: connection, channel: channel, progress: .sent(1), lowestKey: .min)
        }
        for tile in tiles { connection.subscriptions.append(tile) }
        #expect(connection.subscriptions.count == 513)
        #expect(connection.subscriptions.few.count == 1)
        #expect(connection.subscriptions.subscription(to: Self.id) === connection.subscriptions.few[0])
        for tile in tiles { #expect(connection.subscriptions.subscription(to: tile.channel.topic.id) === tile) }
        connection.subscriptions.remove(tiles[7])
        #expect(connection.subscriptions.subscription(to: tiles[7].channel.topic.id) === nil)
        var count = 0
        connection.subscriptions.forEachSubscription { _ in count += 1 }
        #expect(count == 512)
    }

    @Test("when another moves in the same turn, nobody waits")
    func twoMoves() {
        let fixture = Fixture(rest: 0)
        fixture.change(2, at: 0)
        fixture.change(2, at: 0)
        fixture.change(3, at: 0)
        #expect(fixture.write(at: 0) == [1, 2, 3])
    }

    @Test("who waits is written to once, with what comes first")
    func goesAlong() {
        let fixture = Fixture(rest: 0)
        fixture.change(1, at: 0)
        #expect(fixture.write(at: 0) == [2, 3])
        fixture.plan.write(to: fixture.connections[0], .now, at: 1)
        #expect(fixture.write(at: 1) == [1])
        fixture.plan.advance(to: Self.millisecond)
        #expect(fixture.write(at: Self.millisecond) == [])
    }

    @Test("a topic that was written rests; what moves meanwhile is told together when the rest ends")
    func rest() {
        let fixture = Fixture(rest: 10 * Self.millisecond)
        fixture.change(1, at: 0)
        #expect(fixture.write(at: 0) == [2, 3])
        fixture.change(2, at: 1)
        fixture.change(3, at: 2)
        #expect(fixture.write(at: 3) == [])
        #expect(fixture.plan.endThrottling(at: 4) == 10 * Self.millisecond - 4)
        #expect(fixture.plan.endThrottling(at: 10 * Self.millisecond) == nil)
        #expect(fixture.write(at: 10 * Self.millisecond) == [1, 2, 3])
    }

    @Test("a rest in which one entry alone moved ends as that move would have been told")
    func restOfOne() {
        let fixture = Fixture(rest: 10 * Self.millisecond)
        fixture.change(1, at: 0)
        _ = fixture.write(at: 0)
        fixture.change(2, at: 1)
        fixture.change(2, at: 2)
        _ = fixture.plan.endThrottling(at: 10 * Self.millisecond)
        #expect(fixture.write(at: 10 * Self.millisecond) == [1, 3])
    }

    @Test("what is more than a move ends the waiting, and an answer takes along what its connection was not told")
    func endOfDeferral() {
        let fixture = Fixture(rest: 10 * Self.millisecond)
        fixture.change(1, at: 0)
        _ = fixture.write(at: 0)
        fixture.change(2, at: 1)
        fixture.plan.enqueueDeferred(of: fixture.connections[0])
        #expect(fixture.write(at: 2) == [1])
        fixture.change(2, isStable: true, at: 3)
        #expect(fixture.write(at: 3) == [1, 2, 3])
        #expect(fixture.plan.endThrottling(at: 10 * Self.millisecond + 3) == nil)
        #expect(fixture.write(at: 10 * Self.millisecond + 3) == [], "nothing is told twice")
    }

    @Test("kinds that tell at once do not rest, and those whose followers know nothing of themselves let nobody wait")
    func otherKinds() {
        let fixture = Fixture(rest: 10 * Self.millisecond, rules: TopicRules(pacing: .atOnce))
        for time in 0..<3 as Range<Int64> {
            fixture.change(1, at: time)
            #expect(fixture.write(at: time) == [1, 2, 3])
        }
    }

    @Test("a topic that is closed leaves nothing to wait for")
    func closed() {
        let fixture = Fixture(rest: 10 * Self.millisecond)
        fixture.change(1, at: 0)
        _ = fixture.write(at: 0)
        fixture.change(2, at: 1)
        #expect(fixture.plan.endThrottling(at: 2) != nil)
        fixture.plan.close(fixture.channel)
        #expect(fixture.plan.endThrottling(at: 3) == nil)
    }

    @Test("the dearer writing is, the longer topics rest and the loop pauses, up to a bound; and it recovers")
    func costs() {
        var plan = WritePlan(topicPacer: Pacer(share: 12, shortest: 300_000, longest: 25 * Self.millisecond))
        plan.endWriting(cost: 20_000, time: 20_000)
        #expect(plan.endIteration() == 0)
        #expect(plan.throttleInterval == 0, "cheap enough")
        plan.endWriting(cost: Self.millisecond, time: Self.millisecond)
        #expect(plan.endIteration() == Self.millisecond)
        #expect(plan.throttleInterval == 9 * Self.millisecond, "twelve times three quarters")
        plan.endWriting(cost: 100 * Self.millisecond, time: 100 * Self.millisecond)
        #expect(plan.endIteration() == 1_500_000)
        #expect(plan.throttleInterval == 25 * Self.millisecond)
        for _ in 0..<40 { _ = plan.endIteration() }
        #expect(plan.throttleInterval == 0)
    }
}
