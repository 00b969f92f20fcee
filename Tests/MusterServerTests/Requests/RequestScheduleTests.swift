import Testing

@testable import MusterServer
@testable import MusterWire

@Suite struct RequestScheduleTests {
    private var schedule = RequestSchedule<String>()

    /// Enqueues requests, and returns the names of those that start.
    private mutating func enqueue(_ requests: [(String, RequestOrder)]) -> [String] {
        requests.compactMap { self.schedule.enqueue($0.0, $0.1)?.payload }
    }

    /// Enqueues a request that must start.
    private mutating func start(_ request: String, _ order: RequestOrder) throws -> RequestSchedule<String>.Start {
        let start = self.schedule.enqueue(request, order)
        return try #require(start)
    }

    @Test("eight run beside each other; a ninth waits until one has ended, and those behind it in order")
    mutating func limit() throws {
        let first = try self.start("0", .concurrent)
        #expect(self.enqueue((1...9).map { ("\($0)", .concurrent) }) == (1...7).map(String.init))
        #expect(self.schedule.waitingCount == 2)
        #expect(self.schedule.finish(first.ticket).map(\.payload) == ["8"])
        #expect(self.schedule.waitingCount == 1)
    }

    @Test("a barrier starts at once, also beside eight others and before those that wait")
    mutating func barrier() throws {
        let first = try self.start("first", .concurrent)
        _ = self.enqueue((1...8).map { ("\($0)", .concurrent) })
        #expect(!self.schedule.isBarred)
        let barrier = try self.start("barrier", .barrier)
        #expect(self.schedule.isBarred)
        // Requests from before the barrier run concurrently with it.
        #expect(self.schedule.finish(first.ticket).map(\.payload) == ["8"])
        #expect(self.schedule.finish(barrier.ticket).isEmpty)
        #expect(!self.schedule.isBarred)
    }

    @Test("requests of a line come one after the other; other lines and what is beside pass them")
    mutating func lines() throws {
        let first = try self.start("a1", .line("a"))
        #expect(
            self.enqueue([("a2", .line("a")), ("b1", .line("b")), ("x", .concurrent), ("a3", .line("a"))]) == [
                "b1", "x",
            ]
        )
        let next = self.schedule.finish(first.ticket)
        #expect(next.map(\.payload) == ["a2"])
        #expect(self.schedule.finish(next[0].ticket).map(\.payload) == ["a3"])
    }

    @Test("who reads behind a line sees what was written before, and holds nobody up")
    mutating func behindLine() throws {
        let write = try self.start("write", .line("a"))
        #expect(self.enqueue([("read", .behind(line: "a")), ("again", .line("a"))]).isEmpty)
        #expect(self.schedule.finish(write.ticket).map(\.payload) == ["read", "again"])
        var fresh = RequestSchedule<String>()
        #expect(fresh.enqueue("read", .behind(line: "a")) != nil)
        #expect(fresh.enqueue("write", .line("a")) != nil)
    }

    @Test("a schedule whose requests have ended is idle")
    mutating func idle() throws {
        #expect(self.schedule.isIdle)
        let request = try self.start("a", .line("a"))
        #expect(!self.schedule.isIdle)
        #expect(self.schedule.finish(request.ticket).isEmpty)
        #expect(self.schedule.isIdle)
    }
}
