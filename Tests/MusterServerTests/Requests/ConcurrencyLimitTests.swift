import Testing

@testable import MusterServer

@Suite struct ConcurrencyLimitTests {
    private actor Crowd {
        private(set) var running = 0
        private(set) var most = 0

        func enter() {
            self.running += 1
            self.most = max(self.most, self.running)
        }

        func leave() { self.running -= 1 }
    }

    @Test("no more run at once than there is room for, and all have their turn")
    func limit() async throws {
        let limit = ConcurrencyLimit(3)
        let crowd = Crowd()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<50 {
                group.addTask {
                    try await limit.run {
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
        let limit = ConcurrencyLimit(1)
        try await limit.run {
            let waiting = Task { try await limit.run {} }
            waiting.cancel()
            await #expect(throws: CancellationError.self) { try await waiting.value }
        }
        #expect(try await limit.run { true })
    }
}
