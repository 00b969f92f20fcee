import MusterCore
import Synchronization

// Moves come as often as people do, whatever the atlas is busy with. So they do not queue: of each point the last word counts.
// What opens or closes a layer voids the moves before it. Everything else keeps its order and goes before the moves, which is
// right, for nothing of it is judged by where points are before all of a batch is taken in.

/// What waits for the atlas: bounded by how many points there are, not by how long it takes.
final class AtlasInbox: Sendable {
    private struct State {
        var inputs: [AtlasInput] = []
        var moves: [TileLayer: [Int64: TileMove]] = [:]
        var isWakeRequested = false
    }

    private let state = Mutex(State())
    private let wake: @Sendable () -> Void

    /// Creates an empty inbox; `wake` is called for the first input of a batch, on the sender's thread.
    init(wake: @escaping @Sendable () -> Void) { self.wake = wake }

    /// Puts inputs in, and leaves the array empty with its capacity.
    func send(contentsOf inputs: inout [AtlasInput]) {
        let mustWake = self.state.withLock { state in
            for input in inputs { Self.add(input, to: &state) }
            defer { state.isWakeRequested = true }
            return !state.isWakeRequested
        }
        inputs.removeAll(keepingCapacity: true)
        if mustWake { self.wake() }
    }

    /// Takes all of it out, in place of what `batch` held.
    func drain(into batch: inout [AtlasInput]) {
        batch.removeAll(keepingCapacity: true)
        let moves = self.state.withLock { state in
            swap(&batch, &state.inputs)
            state.isWakeRequested = false
            defer { state.moves = [:] }
            return state.moves
        }
        for (layer, points) in moves {
            batch.append(.moved(layer, points.values.sorted { $0.id < $1.id }))
        }
    }

    private static func add(_ input: AtlasInput, to state: inout State) {
        switch input {
        case .moved(let layer, let moves):
            for var move in moves {
                let known = state.moves[layer]?[move.id]
                move.isNarrower = move.isNarrower || known?.isNarrower == true
                state.moves[layer, default: [:]][move.id] = move
            }
            return
        case .opened(let layer, _), .closed(let layer):
            state.moves[layer] = nil
        case .loadBegan, .loaded, .loadEnded, .put, .removed, .asked, .refused, .reached, .unwatched, .ended,
            .released:
            break
        }
        state.inputs.append(input)
    }
}
