// Moves come as often as people do, whatever the atlas is busy with. So they do not queue: of each point the last word counts,
// and a batch takes so many of them that its turn has time for others. What narrows does not wait: all of it is in the next
// batch. What opens or closes a layer voids the moves before it.
//
// Everything else keeps its order and goes before the moves, also before those that hide somebody. That is right only because
// the atlas answers no question before all of a batch is applied.

/// What waits for the atlas: bounded by how many points there are, not by how long it takes.
package struct AtlasBacklog: Sendable {
    /// The most moves of a batch that may wait.
    package static let movesAtOnce = 4096

    /// What became of the points of a layer.
    ///
    /// Invariant: `order` has each id of `slots` once, and `narrower` those of moves that narrow.
    private struct Moves {
        private struct Slot {
            /// Nil once it was handed over, until its place in the order is reached.
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

        /// Dequeues all that narrows, and of the rest as many as there is room for.
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

    private var inputs: [AtlasInput] = []
    private var moves: [TileLayer: Moves] = [:]
    /// The layers of moves, in the order in which they came.
    private var layers: [TileLayer] = []

    /// Nothing waits.
    package init() {}

    /// Whether nothing waits.
    package var isEmpty: Bool { self.inputs.isEmpty && self.layers.isEmpty }

    /// Enqueues an input.
    package mutating func add(_ input: AtlasInput) {
        switch input {
        case .moved(let layer, let moves):
            guard !moves.isEmpty else { return }
            if self.moves[layer] == nil { self.layers.append(layer) }
            self.moves[layer, default: Moves()].add(moves)
            return
        case .opened(let layer, _), .closed(let layer):
            if self.moves.removeValue(forKey: layer) != nil { self.layers.removeAll { $0 == layer } }
        case .loadBegan, .loaded, .loadEnded, .put, .narrowed, .removed, .asked, .refused, .reached, .unwatched,
            .ended, .released:
            break
        }
        self.inputs.append(input)
    }

    /// Enqueues what waited elsewhere, and came later.
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

    /// Dequeues the next batch, in place of what `batch` held.
    package mutating func dequeue(into batch: inout [AtlasInput]) {
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
