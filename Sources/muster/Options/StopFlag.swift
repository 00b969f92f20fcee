import Synchronization

/// A flag that one thread raises and others look at.
final class StopFlag: Sendable {
    private let value = Atomic(false)

    /// Whether it has been raised.
    var isRaised: Bool { self.value.load(ordering: .acquiring) }

    /// Raises it for good.
    func raise() { self.value.store(true, ordering: .releasing) }

    /// Raises it at the first SIGTERM or SIGINT, until the returned task is cancelled.
    func raiseOnTermination() -> Task<Void, Never> {
        Task {
            await TerminationSignals().first()
            self.raise()
        }
    }
}
