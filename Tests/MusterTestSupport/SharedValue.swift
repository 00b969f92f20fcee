import Synchronization

/// A value that is made once, off the cooperative threads, by whoever asks first; the others wait for it.
package final class SharedValue<Value: Sendable>: Sendable {
    private let make: @Sendable () throws -> Value
    private let task = Mutex<Task<Value, any Error>?>(nil)

    /// Creates a value that `make` makes, which may block.
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
