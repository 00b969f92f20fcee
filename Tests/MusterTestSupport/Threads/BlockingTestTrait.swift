package import Testing

/// Runs each test of a suite on its own thread, where it may block, and limits the number of concurrent tests.
///
/// Without the limit all servers of a suite would run at once and distort measurements.
package struct BlockingTestTrait: TestTrait, SuiteTrait, TestScoping {
    /// The limits of concurrent tests.
    fileprivate static let few = AsyncSemaphore(5)
    fileprivate static let many = AsyncSemaphore(16)

    fileprivate let semaphore: AsyncSemaphore

    package var isRecursive: Bool { true }

    // The library's protocol does not declare `nonisolated(nonsending)`, so this method cannot either.
    @concurrent
    package func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable @concurrent () async throws -> Void
    ) async throws {
        await self.semaphore.enter()
        let thread = BlockingThread()
        do {
            try await withTaskExecutorPreference(thread) { try await function() }
        } catch {
            thread.stop()
            await self.semaphore.leave()
            throw error
        }
        thread.stop()
        await self.semaphore.leave()
    }
}

extension Trait where Self == BlockingTestTrait {
    /// Runs each blocking test on its own thread.
    package static var blocking: Self { Self(semaphore: BlockingTestTrait.few) }
    /// The same for tests that mostly wait: many of them run at once, in addition to the others.
    package static var waiting: Self { Self(semaphore: BlockingTestTrait.many) }
}
