import Testing

@testable import MusterCore
@testable import MusterServer

@Suite struct ConcurrencyLimitTests {
    @Test("no more run at once than there is room for, and all have their turn")
    func limit() async throws {
        let limit = ConcurrencyLimit<UserID>(3, share: 3)
        let crowd = Crowd()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<50 {
                group.addTask {
                    try await limit.run(for: UserID(Int64(number % 2))) {
                        await crowd.enter()
                        await Task.yield()
                        await crowd.leave()
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect((1...3).contains(await crowd.most))
        #expect(await crowd.running == 0)
    }

    @Test("who is cancelled while waiting is let go at once, and takes no room")
    func cancelling() async throws {
        let limit = ConcurrencyLimit<UserID>(1, share: 1)
        try await limit.run(for: UserID(1)) {
            let waiting = Task { try await limit.run(for: UserID(2)) {} }
            waiting.cancel()
            await #expect(throws: CancellationError.self) { try await waiting.value }
        }
        #expect(try await limit.run(for: UserID(1)) { true })
    }

    @Test("one person has their share at most, however much they ask; others are let in past them")
    func share() async throws {
        let limit = ConcurrencyLimit<UserID>(4, share: 2)
        let crowd = Crowd()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<20 {
                group.addTask {
                    try await limit.run(for: UserID(1)) { await crowd.stay() }
                }
            }
            while await crowd.running < 2 { await Task.yield() }
            // All requests of the greedy user wait or run, and each of the others starts at once.
            for other in Int64(2)..<50 { #expect(try await limit.run(for: UserID(other)) { await crowd.running } == 2) }
            await crowd.end()
            try await group.waitForAll()
        }
        #expect(await crowd.most == 2)
        #expect(await crowd.running == 0)
    }
}
