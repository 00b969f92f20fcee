import MusterCore
import Synchronization

/// The inputs that have arrived since the cluster service last drained them.
final class ClusterInbox: Sendable {
    private struct State {
        var arrived = ClusterBacklog()
        var isWakeRequested = false
    }

    private let state = Mutex(State())
    private let wake: @Sendable () -> Void

    /// Creates an empty inbox; `wake` is called for the first input of a batch, on the sender's thread.
    init(wake: @escaping @Sendable () -> Void) { self.wake = wake }

    /// Whether inputs have arrived that were not drained.
    var isWakeRequested: Bool { self.state.withLock { $0.isWakeRequested } }

    /// Adds inputs, and leaves the array empty with its capacity.
    func send(contentsOf inputs: inout [ClusterInput]) {
        let mustWake = self.state.withLock { state in
            for input in inputs { state.arrived.add(input) }
            defer { state.isWakeRequested = true }
            return !state.isWakeRequested
        }
        inputs.removeAll(keepingCapacity: true)
        if mustWake { self.wake() }
    }

    /// Moves all inputs to the end of `backlog`.
    func drain(into backlog: inout ClusterBacklog) {
        // Joined outside of the lock, so that senders do not wait for it.
        var arrived = ClusterBacklog()
        self.state.withLock { state in
            swap(&arrived, &state.arrived)
            state.isWakeRequested = false
        }
        backlog.add(arrived)
    }
}
