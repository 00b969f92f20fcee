import Synchronization

/// A lazily created value.
///
/// The first caller creates it, off the cooperative threads, and the others wait for it.
package final class SharedValue<Value: Sendable>: Sendable {
    private let make: @Sendable () throws -> Value
    private let task = Mutex<Task<Value, any Error>?>(nil)

    /// Creates a lazy value from a closure that may block.
    package init(_ make: @escaping @Sendable () throws -> Value) { self.make = make }

    /// The value.
    package var value: Value {
        get async throws {
            let task = self.task.withLock { task in
                let started = task ?? Task { [make] in try await onWorkerThread(make) }
                task = started
                return started
            }
            return try await task.value
        }
    }
}
