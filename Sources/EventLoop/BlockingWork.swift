/// Runs what a program of ours does from its beginning to its end on a thread of its own, so that Swift's cooperative pool never
/// waits for it; a server's calls that block share a `BlockingPool`.
package enum BlockingWork {
    /// Runs `body` on a new thread, on one processor if it is named, and returns, or throws, what it did.
    package static func run<Value: Sendable, Failure: Error>(
        named name: String,
        processor: Int? = nil,
        _ body: @escaping @Sendable () throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let result: Result<Value, Failure> = await withCheckedContinuation { continuation in
            _ = WorkerThread(name: name, processor: processor) {
                do throws(Failure) {
                    continuation.resume(returning: .success(try body()))
                } catch {
                    continuation.resume(returning: .failure(error))
                }
            }
        }
        return try result.get()
    }
}
