import Testing

@testable import OutboundHTTP

@Suite struct HostQueueTests {
    private static func waiting(_ id: UInt64, by deadline: Int64 = .max, concurrency: Int = 2) -> HostQueue.Waiting {
        HostQueue.Waiting(id: id, deadline: deadline, concurrency: concurrency)
    }

    @Test("a host has as many requests as it is to have, and the others begin in their order")
    func keepsOrder() {
        var queue = HostQueue(limit: 10)
        let admissions = (1...4).map { queue.add(Self.waiting($0), to: "a") }
        #expect(admissions == [.begins, .begins, .waits, .waits])
        #expect(queue.add(Self.waiting(5), to: "b") == .begins, "hosts do not wait for each other")
        #expect(queue.end(at: "a") == [3])
        #expect(queue.end(at: "a") == [4])
        #expect(queue.end(at: "a") == [])
        #expect(queue.end(at: "a") == [])
        #expect(queue.add(Self.waiting(6, concurrency: 1), to: "a") == .begins)
    }

    @Test("a request whose time is over, or that is given up, does not begin; and a long queue takes no more")
    func forgets() {
        var queue = HostQueue(limit: 2)
        _ = queue.add(Self.waiting(1, concurrency: 1), to: "a")
        _ = queue.add(Self.waiting(2, by: 50, concurrency: 1), to: "a")
        _ = queue.add(Self.waiting(3, by: 90, concurrency: 1), to: "a")
        #expect(queue.add(Self.waiting(4, concurrency: 1), to: "a") == .refused)
        #expect(queue.nextDeadline == 50)
        #expect(queue.removeExpired(now: 49) == [])
        #expect(queue.removeExpired(now: 50) == [2])
        queue.remove(3, from: "a")
        #expect(queue.end(at: "a") == [])
        #expect(queue.nextDeadline == nil)
    }
}
