import Synchronization

/// A flag that one thread raises and others look at.
package final class StopFlag: Sendable {
    private let value = Atomic(false)

    /// Creates a flag that is not raised.
    package init() {}

    /// Whether it has been raised.
    package var isRaised: Bool { self.value.load(ordering: .acquiring) }

    /// Raises it for good.
    package func raise() { self.value.store(true, ordering: .releasing) }

    /// Raises it at the first SIGTERM or SIGINT, until the returned task is cancelled.
    package func raiseOnTermination() -> Task<Void, Never> {
        Task {
            await TerminationSignals().first()
            self.raise()
        }
    }
}
