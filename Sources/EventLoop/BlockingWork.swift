/// Runs a whole blocking call of one of our programs on a thread of its own, so that Swift's cooperative pool never
/// waits for it.
///
/// The blocking calls of a server share a `BlockingPool`.
package enum BlockingWork {
    /// Runs `body` on a new thread, on one processor if `processor` is set, and returns or throws its result.
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
