import MusterCore
import MusterWire
import Synchronization

/// The requests that want to know what a group sees of its members now.
final class PendingSights: SightOutlet {
    private typealias Waiter = CheckedContinuation<GroupSight?, Never>

    /// The most requests that wait.
    private static let limit = 1024
    private struct State {
        var waiting: [Int64: Waiter] = [:]
        var last: Int64 = 0
    }

    /// How long one waits, in milliseconds.
    private let patience: Int
    private let state = Mutex(State())

    /// Begins with nobody who waits.
    init(patience: Int = 5_000) { self.patience = patience }

    /// What a group sees of its members, as the world says.
    ///
    /// - Throws: `unavailable` when it does not say so in time.
    func sight(of group: GroupID, in world: any WorldLink) async throws(FrameError) -> GroupSight {
        let sight: GroupSight? = await withCheckedContinuation { continuation in
            let request = self.state.withLock { state -> Int64? in
                guard state.waiting.count < Self.limit else { return nil }
                state.last += 1
                state.waiting[state.last] = continuation
                return state.last
            }
            guard let request else { return continuation.resume(returning: nil) }
            world.send(.groupViewRequested(request, group))
            Task {
                try? await Task.sleep(for: .milliseconds(self.patience))
                self.resolve(request, nil)
            }
        }
        guard let sight else { throw .groupUnseen }
        return sight
    }

    func resolve(_ request: Int64, _ sight: GroupSight?) {
        self.state.withLock { $0.waiting.removeValue(forKey: request) }?.resume(returning: sight)
    }
}

extension FrameError {
    /// Says that nobody knows now what a group may see.
    static let groupUnseen = FrameError(
        .unavailable,
        message: "What the group may see is not known now; try again soon.",
        retryAfter: 1000
    )
}
