import EventLoop
import MusterTestSupport
import Testing

@testable import MusterCore
@testable import MusterServer
@testable import MusterWire

@Suite("A turn of the world")
struct WorldRunnerTests {
    private static let ada = SteppedWorld.session(1, shard: 0)
    private static let bob = SteppedWorld.session(2, shard: 0)
    private static let eve = SteppedWorld.session(1, shard: 1)

    /// A world with its group, and Ada connected.
    private func opened() -> SteppedWorld {
        let world = SteppedWorld()
        world.iterate(SteppedWorld.opening(Self.ada, of: 7))
        world.iterate(.groupLoaded(world.snapshot))
        return world
    }

    private func fix(_ sequence: Int64) -> Fix {
        Fix(sequence: sequence, coordinate: Coordinate(latitude: 48, longitude: 11), accuracy: 5)
    }

    @Test("lets a session in when its group has been read, and opens its shard's mirror before it follows")
    func hello() {
        let world = SteppedWorld()
        world.iterate(SteppedWorld.opening(Self.ada, of: 7))
        #expect(world.outbox.questions == [.group(SteppedWorld.group)])
        #expect(world.outbox.commands(ofShard: 0).isEmpty)
        world.iterate(.groupLoaded(world.snapshot))
        let story = world.outbox.commands(ofShard: 0).story
        #expect(story == ["welcome", "openTopic", "subscribe"])
        #expect(world.outbox.commands(ofShard: 1).isEmpty)
    }

    @Test(
        "opens a mirror once a shard, for whoever follows first there, and closes it when the shard says that nobody does"
    )
    func mirrors() throws {
        let world = self.opened()
        let first = try #require(world.outbox.commands(ofShard: 0).lastSubscription)
        world.iterate(SteppedWorld.opening(Self.bob, of: 8), SteppedWorld.opening(Self.eve, of: 9))
        let commands = world.outbox.commands(ofShard: 0)
        #expect(commands.story.filter { $0.hasSuffix("Topic") } == ["updateTopic"])
        #expect(world.outbox.commands(ofShard: 1).story == ["welcome", "openTopic", "subscribe"])
        let last = try #require(commands.lastSubscription)
        // The shard reports an earlier subscription, while a later one is in transit to it.
        world.unfollowed.send(UnfollowedTopic(topic: RosterTopic.id(SteppedWorld.group), shard: 0, number: first))
        world.iterate(.sessionClosed(Self.ada))
        #expect(!world.outbox.commands(ofShard: 0).story.contains("closeTopic"))
        world.unfollowed.send(UnfollowedTopic(topic: RosterTopic.id(SteppedWorld.group), shard: 0, number: last))
        world.iterate(.sessionClosed(Self.bob))
        #expect(world.outbox.commands(ofShard: 0).story.contains("closeTopic"))
        #expect(!world.outbox.commands(ofShard: 1).story.contains("closeTopic"))
    }

    @Test("two of one turn who come by two shards both begin with the roster of that turn")
    func together() {
        let world = SteppedWorld()
        world.iterate(.groupLoaded(world.snapshot))
        world.iterate(SteppedWorld.opening(Self.bob, of: 8), SteppedWorld.opening(Self.eve, of: 9))
        for question in world.outbox.questions { #expect(question == .group(SteppedWorld.group)) }
        world.iterate(.groupLoaded(world.snapshot))
        for shard in 0...1 {
            #expect(world.outbox.commands(ofShard: shard).story.suffix(3) == ["welcome", "openTopic", "subscribe"])
        }
    }

    @Test("tells a session to come back when its group cannot be read")
    func unreadable() {
        let world = SteppedWorld()
        world.iterate(SteppedWorld.opening(Self.ada, of: 7))
        world.iterate(.answered(.group(SteppedWorld.group), nil))
        #expect(world.outbox.commands(ofShard: 0).story == ["close \(CloseCode.unavailable.number)"])
    }

    @Test("hands the journal all that came of it in one go, and acknowledges no fix before it is committed")
    func durability() throws {
        let world = self.opened()
        (_, _) = (world.outbox.commands(ofShard: 0), world.outbox.batches)
        world.iterate(.fixReceived(Self.ada, self.fix(1)), .fixReceived(Self.ada, self.fix(2)))
        let batches = world.outbox.batches
        #expect(batches.count == 1)
        let records = try #require(batches.first)
        #expect(records.map(\.number) == Array(records[0].number..<records[0].number + Int64(records.count)))
        #expect(!world.outbox.commands(ofShard: 0).story.contains("ack"))
        world.iterate(.committed(through: records[records.count - 1].number, failed: []))
        #expect(world.outbox.commands(ofShard: 0).story == ["ack"])
    }

    @Test("tells a request what became of its fixes once they are committed")
    func report() async throws {
        let world = self.opened()
        _ = world.outbox.batches
        let outcome = try await world.reports.answer { number in
            let origin = FixReport.Origin.request(SessionID(number))
            let report = FixReport(origin: origin, arrival: SteppedWorld.arrival(of: 8), fixes: [self.fix(4)])
            world.iterate(.fixesReceived(report))
            #expect(world.reports.count == 1)
            let last = world.outbox.batches.last?.last?.number
            world.iterate(.committed(through: last ?? 0, failed: []))
            #expect(world.reports.count == 0)
        }
        #expect(outcome.acknowledgement == Acknowledgement(sequence: 4))
    }

    @Test("answers a frame behind everything that came before it in the turn")
    func order() {
        let world = self.opened()
        _ = world.outbox.commands(ofShard: 0)
        let pong = ServerFrame.pong(nil, at: Timestamp(milliseconds: 1)).encoded
        world.iterate(
            .locateRequested(Self.ada, .number(2), group: SteppedWorld.group, user: UserID(99)),
            .answerRequested(PreparedAnswer(session: Self.ada, frame: pong))
        )
        #expect(world.outbox.commands(ofShard: 0).story == ["error", "pong"])
    }

    @Test("ticks when it is time and the turn may, and then says what the world has done")
    func tick() {
        let world = self.opened()
        #expect(world.runner.millisecondsToTick == SteppedWorld.tick)
        world.clock.advance(milliseconds: SteppedWorld.tick - 1)
        world.iterate(mayTick: true)
        #expect(world.metrics.counters == nil && world.runner.millisecondsToTick == 1)
        world.clock.advance(milliseconds: 1)
        world.iterate(mayTick: false)
        #expect(world.metrics.counters == nil && world.runner.millisecondsToTick == 0)
        world.iterate(mayTick: true)
        #expect(world.metrics.counters?.sessions == 1)
        #expect(world.runner.millisecondsToTick == SteppedWorld.tick)
    }

    @Test("lets all shards read on once it has caught up, and tells them once")
    func catchingUp() {
        let world = SteppedWorld()
        #expect(world.gate.intake(waiting: 50_000) == .open)
        #expect(world.gate.intake(waiting: 50_001) == .full)
        world.iterate()
        for shard in 0...1 { #expect(world.outbox.commands(ofShard: shard).story == ["resumeAllReading"]) }
        world.iterate()
        for shard in 0...1 { #expect(world.outbox.commands(ofShard: shard).isEmpty) }
    }
}
