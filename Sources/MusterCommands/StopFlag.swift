import Synchronization

/// A flag that one thread raises and other threads read.
package final class StopFlag: Sendable {
    private let value = Atomic(false)

    /// Creates a flag that is not raised.
    package init() {}

    /// Whether the flag is raised.
    package var isRaised: Bool { self.value.load(ordering: .acquiring) }

    /// Raises the flag permanently.
    package func raise() { self.value.store(true, ordering: .releasing) }

    /// Raises the flag at the first SIGTERM or SIGINT, until the returned task is cancelled.
    package func raiseOnTermination() -> Task<Void, Never> {
        Task {
            await TerminationSignals().first()
            self.raise()
        }
    }
}
