package import Testing

/// Runs each test of a suite on a thread of its own, where it may block, and only a few of them at once.
///
/// Without the bound all servers of a suite would run at the same time, and what is measured would be their crowd.
package struct BlockingTestTrait: TestTrait, SuiteTrait, TestScoping {
    /// How many tests run at once.
    fileprivate static let few = Turnstile(5)
    fileprivate static let many = Turnstile(16)

    fileprivate let turnstile: Turnstile

    package var isRecursive: Bool { true }

    // The library does not say nonisolated(nonsending), so neither may we.
    @concurrent
    package func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable @concurrent () async throws -> Void
    ) async throws {
        await self.turnstile.enter()
        let thread = BlockingThread()
        do {
            try await withTaskExecutorPreference(thread) { try await function() }
        } catch {
            thread.stop()
            await self.turnstile.leave()
            throw error
        }
        thread.stop()
        await self.turnstile.leave()
    }
}

extension Trait where Self == BlockingTestTrait {
    /// The test blocks: it gets a thread of its own.
    package static var blocking: Self { Self(turnstile: BlockingTestTrait.few) }
    /// The same for tests that do hardly anything but wait: many of them run at once, beside the others.
    package static var waiting: Self { Self(turnstile: BlockingTestTrait.many) }
}
