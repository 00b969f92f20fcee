// Moves arrive as often as people move, however busy the cluster service is. So they do not queue up: only the last
// change of each point counts, and a batch contains a limited number of them. Changes that narrow visibility do not
// wait: all of them are in the next batch. Opening or closing a layer voids its earlier moves.
//
// All other inputs keep their order and precede the moves, even those that hide a point. That is only correct because
// no question is answered before the whole batch is applied.

/// The queued inputs of the cluster service; the size is bounded by the number of points, not by the duration.
package struct ClusterBacklog: Sendable {
    /// The largest number of moves in a batch that do not narrow visibility.
    static let movesAtOnce = 4096

    /// The latest changes of the points of a layer.
    ///
    /// Invariant: `order` has each id of `slots` once, and `narrower` the ids of moves that narrow visibility.
    private struct Moves {
        private struct Slot {
            /// Nil after it was dequeued, until its id is reached in `order`.
            var move: TileMove?
        }

        private var slots: [Int64: Slot] = [:]
        private var order = WorkQueue<Int64>()
        private var narrower: [Int64] = []

        var isEmpty: Bool { self.order.isEmpty }

        mutating func add(_ moves: [TileMove]) { for move in moves { self.add(move) } }

        mutating func add(_ later: Self) {
            for id in later.order.waiting { if let move = later.slots[id]?.move { self.add(move) } }
        }

        private mutating func add(_ next: TileMove) {
            var move = next
            let slot = self.slots[move.id]
            if slot == nil { self.order.append(move.id) }
            let wasNarrower = slot?.move?.isNarrower == true
            move.isNarrower = move.isNarrower || wasNarrower
            if move.isNarrower, !wasNarrower { self.narrower.append(move.id) }
            self.slots[move.id] = Slot(move: move)
        }

        /// Dequeues all moves that narrow visibility, and up to `room` others.
        mutating func dequeue(_ room: inout Int) -> [TileMove] {
            var moves: [TileMove] = []
            for id in self.narrower { if let move = self.slots[id]?.move.take() { moves.append(move) } }
            self.narrower.removeAll(keepingCapacity: true)
            while room > 0, let id = self.order.popFirst() {
                room -= 1
                if let move = self.slots.removeValue(forKey: id)?.move { moves.append(move) }
            }
            return moves
        }
    }

    private var inputs: [ClusterInput] = []
    private var moves: [TileLayer: Moves] = [:]
    /// The layers with moves, in order of arrival.
    private var layers: [TileLayer] = []

    /// Creates an empty backlog.
    package init() {}

    /// Whether the backlog is empty.
    package var isEmpty: Bool { self.inputs.isEmpty && self.layers.isEmpty }

    /// Enqueues an input.
    package mutating func add(_ input: ClusterInput) {
        switch input {
        case .moved(let layer, let moves):
            guard !moves.isEmpty else { return }
            if self.moves[layer] == nil { self.layers.append(layer) }
            self.moves[layer, default: Moves()].add(moves)
            return
        case .opened(let layer, _), .closed(let layer):
            if self.moves.removeValue(forKey: layer) != nil { self.layers.removeAll { $0 == layer } }
        case .loadBegan, .loaded, .loadEnded, .put, .narrowed, .removed, .asked, .refused, .reached, .layerUnsubscribed,
            .ended, .released:
            break
        }
        self.inputs.append(input)
    }

    /// Appends a later backlog.
    package mutating func add(_ later: Self) {
        guard !self.isEmpty else {
            self = later
            return
        }
        for input in later.inputs { self.add(input) }
        for layer in later.layers {
            guard let moves = later.moves[layer] else { continue }
            if self.moves[layer] == nil { self.layers.append(layer) }
            self.moves[layer, default: Moves()].add(moves)
        }
    }

    /// Dequeues the next batch, and replaces the content of `batch`.
    package mutating func dequeue(into batch: inout [ClusterInput]) {
        batch.removeAll(keepingCapacity: true)
        swap(&batch, &self.inputs)
        guard !self.layers.isEmpty else { return }
        var room = Self.movesAtOnce
        for layer in self.layers {
            let moves = self.moves[layer]?.dequeue(&room) ?? []
            if !moves.isEmpty { batch.append(.moved(layer, moves)) }
            if self.moves[layer]?.isEmpty == true { self.moves[layer] = nil }
        }
        self.layers.removeAll { self.moves[$0] == nil }
    }
}
