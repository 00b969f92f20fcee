import MusterCore
import Synchronization

/// What has arrived for the atlas since it looked last.
final class AtlasInbox: Sendable {
    private struct State {
        var arrived = AtlasBacklog()
        var isWakeRequested = false
    }

    private let state = Mutex(State())
    private let wake: @Sendable () -> Void

    /// Creates an empty inbox; `wake` is called for the first input of a batch, on the sender's thread.
    init(wake: @escaping @Sendable () -> Void) { self.wake = wake }

    /// Whether something has arrived that was not drained.
    var isWakeRequested: Bool { self.state.withLock { $0.isWakeRequested } }

    /// Puts inputs in, and leaves the array empty with its capacity.
    func send(contentsOf inputs: inout [AtlasInput]) {
        let mustWake = self.state.withLock { state in
            for input in inputs { state.arrived.add(input) }
            defer { state.isWakeRequested = true }
            return !state.isWakeRequested
        }
        inputs.removeAll(keepingCapacity: true)
        if mustWake { self.wake() }
    }

    /// Puts all of it behind what waits already.
    func drain(into backlog: inout AtlasBacklog) {
        // Joined outside, for who sends must not wait for it.
        var arrived = AtlasBacklog()
        self.state.withLock { state in
            swap(&arrived, &state.arrived)
            state.isWakeRequested = false
        }
        backlog.add(arrived)
    }
}
