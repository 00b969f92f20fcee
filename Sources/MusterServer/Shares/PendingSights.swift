import MusterCore
import MusterWire
import Synchronization

/// HTTP requests that wait for the current visibility snapshot of a group.
final class PendingSights: SightOutlet {
    private typealias Waiter = CheckedContinuation<GroupSight?, Never>

    /// The maximum number of waiting requests.
    private static let limit = 1024
    private struct State {
        var waiting: [Int64: Waiter] = [:]
        var last: Int64 = 0
    }

    /// The timeout of a request, in milliseconds.
    private let patience: Int
    private let state = Mutex(State())

    /// Creates an object without waiting requests.
    init(patience: Int = 5_000) { self.patience = patience }

    /// Returns the world's visibility snapshot of a group.
    ///
    /// - Throws: `unavailable` when the world does not return it in time.
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
    /// The error when the visibility snapshot of a group is not available.
    static let groupUnseen = FrameError(
        .unavailable,
        message: "The positions of the group are not available now; try again soon.",
        retryAfter: 1000
    )
}
