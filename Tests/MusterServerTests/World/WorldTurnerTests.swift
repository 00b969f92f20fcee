import EventLoop
import MusterCore
import MusterStore
import MusterTestSupport
import MusterWire
import Testing

@testable import MusterServer

@Suite("A turn of the world")
struct WorldTurnerTests {
    private static let ada = TurnedWorld.session(1, shard: 0)
    private static let bob = TurnedWorld.session(2, shard: 0)
    private static let eve = TurnedWorld.session(1, shard: 1)

    /// A world with its group, and Ada connected.
    private func opened() -> TurnedWorld {
        let world = TurnedWorld()
        world.turn(TurnedWorld.opening(Self.ada, of: 7))
        world.turn(.groupLoaded(world.snapshot))
        return world
    }

    private func fix(_ sequence: Int64) -> Fix {
        Fix(sequence: sequence, coordinate: Coordinate(latitude: 48, longitude: 11), accuracy: 5)
    }

    @Test("lets a session in when its group has been read, and opens its shard's mirror before it follows")
    func hello() {
        let world = TurnedWorld()
        world.turn(TurnedWorld.opening(Self.ada, of: 7))
        #expect(world.outbox.questions == [.group(TurnedWorld.group)])
        #expect(world.outbox.commands(ofShard: 0).isEmpty)
        world.turn(.groupLoaded(world.snapshot))
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
        world.turn(TurnedWorld.opening(Self.bob, of: 8), TurnedWorld.opening(Self.eve, of: 9))
        let commands = world.outbox.commands(ofShard: 0)
        #expect(commands.story.filter { $0.hasSuffix("Topic") } == ["updateTopic"])
        #expect(world.outbox.commands(ofShard: 1).story == ["welcome", "openTopic", "subscribe"])
        let last = try #require(commands.lastSubscription)
        // The shard reports an earlier subscription, while a later one is in transit to it.
        world.unfollowed.send(UnfollowedTopic(topic: RosterTopic.id(TurnedWorld.group), shard: 0, number: first))
        world.turn(.sessionClosed(Self.ada))
        #expect(!world.outbox.commands(ofShard: 0).story.contains("closeTopic"))
        world.unfollowed.send(UnfollowedTopic(topic: RosterTopic.id(TurnedWorld.group), shard: 0, number: last))
        world.turn(.sessionClosed(Self.bob))
        #expect(world.outbox.commands(ofShard: 0).story.contains("closeTopic"))
        #expect(!world.outbox.commands(ofShard: 1).story.contains("closeTopic"))
    }

    @Test("two of one turn who come by two shards both begin with the roster of that turn")
    func together() {
        let world = TurnedWorld()
        world.turn(.groupLoaded(world.snapshot))
        world.turn(TurnedWorld.opening(Self.bob, of: 8), TurnedWorld.opening(Self.eve, of: 9))
        for question in world.outbox.questions { #expect(question == .group(TurnedWorld.group)) }
        world.turn(.groupLoaded(world.snapshot))
        for shard in 0...1 {
            #expect(world.outbox.commands(ofShard: shard).story.suffix(3) == ["welcome", "openTopic", "subscribe"])
        }
    }

    @Test("tells a session to come back when its group cannot be read")
    func unreadable() {
        let world = TurnedWorld()
        world.turn(TurnedWorld.opening(Self.ada, of: 7))
        world.turn(.answered(.group(TurnedWorld.group), nil))
        #expect(world.outbox.commands(ofShard: 0).story == ["close \(CloseCode.unavailable.number)"])
    }

    @Test("hands the journal all that came of it in one go, and acknowledges no fix before it is committed")
    func durability() throws {
        let world = self.opened()
        (_, _) = (world.outbox.commands(ofShard: 0), world.outbox.batches)
        world.turn(.fixReceived(Self.ada, self.fix(1)), .fixReceived(Self.ada, self.fix(2)))
        let batches = world.outbox.batches
        #expect(batches.count == 1)
        let records = try #require(batches.first)
        #expect(records.map(\.number) == Array(records[0].number..<records[0].number + Int64(records.count)))
        #expect(!world.outbox.commands(ofShard: 0).story.contains("ack"))
        world.turn(.committed(through: records[records.count - 1].number, failed: []))
        #expect(world.outbox.commands(ofShard: 0).story == ["ack"])
    }

    @Test("tells a request what became of its fixes once they are committed")
    func report() async throws {
        let world = self.opened()
        _ = world.outbox.batches
        let outcome = try await world.reports.answer { number in
            let origin = FixReport.Origin.request(SessionID(number))
            let report = FixReport(origin: origin, arrival: TurnedWorld.arrival(of: 8), fixes: [self.fix(4)])
            world.turn(.fixesReceived(report))
            #expect(world.reports.count == 1)
            let last = world.outbox.batches.last?.last?.number
            world.turn(.committed(through: last ?? 0, failed: []))
            #expect(world.reports.count == 0)
        }
        #expect(outcome.acknowledgement == Acknowledgement(sequence: 4))
    }

    @Test("answers a frame behind everything that came before it in the turn")
    func order() {
        let world = self.opened()
        _ = world.outbox.commands(ofShard: 0)
        let pong = ServerFrame.pong(nil, at: Timestamp(milliseconds: 1)).encoded
        world.turn(
            .locateRequested(Self.ada, .number(2), group: TurnedWorld.group, user: UserID(99)),
            .answerRequested(PreparedAnswer(session: Self.ada, frame: pong))
        )
        #expect(world.outbox.commands(ofShard: 0).story == ["error", "pong"])
    }

    @Test("ticks when it is time and the turn may, and then says what the world has done")
    func tick() {
        let world = self.opened()
        #expect(world.turner.millisecondsToTick == TurnedWorld.tick)
        world.clock.advance(milliseconds: TurnedWorld.tick - 1)
        world.turn(mayTick: true)
        #expect(world.metrics.counters == nil && world.turner.millisecondsToTick == 1)
        world.clock.advance(milliseconds: 1)
        world.turn(mayTick: false)
        #expect(world.metrics.counters == nil && world.turner.millisecondsToTick == 0)
        world.turn(mayTick: true)
        #expect(world.metrics.counters?.sessions == 1)
        #expect(world.turner.millisecondsToTick == TurnedWorld.tick)
    }

    @Test("lets all shards read on once it has caught up, and tells them once")
    func catchingUp() {
        let world = TurnedWorld()
        #expect(world.gate.intake(waiting: 50_000) == .open)
        #expect(world.gate.intake(waiting: 50_001) == .full)
        world.turn()
        for shard in 0...1 { #expect(world.outbox.commands(ofShard: shard).story == ["resumeAllReading"]) }
        world.turn()
        for shard in 0...1 { #expect(world.outbox.commands(ofShard: shard).isEmpty) }
    }
}
