// Pending changes are applied in three phases. Each may be interrupted, and changes may arrive in between.
// 1. Touched cells are read from the tree again. If a cell changed, it is queued for evaluation. So is each evaluated
//    cell near it whose relation to it (far, before, behind) changed. Cells whose nearest centre may have changed need
//    reassignment.
// 2. Queued cells are evaluated from the heaviest down, so that all cells that one depends on come before it. A cell
//    that flips queues the evaluated cells near it that come behind it, and those around it need reassignment.
// 3. Cells that need reassignment look up their nearest centre again.
//
// Each phase marks the tiles whose centres, places or counts changed. Cells that were not evaluated stay so. The tiles
// that they affect are marked, and reading those evaluates the cells.

/// A queued evaluation of a cell, with its position in the rule's order.
struct PendingCell {
    var weight: UInt32
    var hash: UInt64
    var place: ZoomGrid.Place

    func precedes(_ other: Self) -> Bool { (self.weight, self.hash) > (other.weight, other.hash) }
}

extension ZoomGrid {
    /// The relation of two cells in the rule.
    private enum Relation {
        case far
        /// Near, and the first cell precedes the second.
        case before
        /// Near, and the second cell precedes the first.
        case behind
    }

    /// Applies pending changes until `steps` reaches about `limit`.
    mutating func resolve(_ tree: PointTree, until limit: Int) {
        while self.steps < limit, let block = self.pending.popLast() {
            self.isHeap = false
            self.revise(Int(block), tree)
        }
        guard self.pending.isEmpty else { return }
        if !self.isHeap { self.makeHeap() }
        while self.steps < limit, let place = self.popPendingCell() { self.reevaluate(place, tree) }
        guard self.pendingCells.isEmpty else { return }
        while self.steps < limit, let place = self.parting.popLast() { self.reassign(place, tree) }
    }

    // MARK: 1. Touched cells

    private mutating func revise(_ block: Int, _ tree: PointTree) {
        var rest = self.blocks[block].touched
        let exchanged = self.blocks[block].exchanged
        self.blocks[block].touched = 0
        self.blocks[block].exchanged = 0
        let (x, y) = (self.blocks[block].x, self.blocks[block].y)
        self.sums.withUnsafeMutableBufferPointer { tree.gather(rest, of: (x, y), zoom: self.zoom, into: $0) }
        while rest != 0 {
            let bit = rest.trailingZeroBitCount
            rest &= rest - 1
            let cell = Cell(self.sums[bit])
            let place = Place(block: block, bit: bit)
            if self.blocks[block].occupied >> UInt64(bit) & 1 == 0 {
                guard cell.weight > 0 else { continue }
                self.occupy(place)
            }
            self.revise(place, cell, isExchanged: exchanged >> UInt64(bit) & 1 != 0)
        }
    }

    /// Replaces the data of a cell with that of the tree.
    private mutating func revise(_ place: Place, _ fresh: Cell, isExchanged: Bool) {
        self.steps += 1
        let index = self.index(place)
        let old = self.cells[index]
        let state = old.state
        let hasMoved = old.x != fresh.x || old.y != fresh.y || old.weight == 0 || fresh.weight == 0
        if isExchanged || old.weight != fresh.weight { self.markCenter(of: place, state) }
        guard hasMoved || old.weight != fresh.weight else {
            self.cells[index].member = fresh.member
            return
        }
        let isCenter = state == .center
        if isCenter {
            let changesColumn = TileFeature.step(old.x, zoom: self.zoom) != TileFeature.step(fresh.x, zoom: self.zoom)
            let changesRow = TileFeature.step(old.y, zoom: self.zoom) != TileFeature.step(fresh.y, zoom: self.zoom)
            if changesColumn || changesRow { self.mark(place.block) }
        } else if old.weight == 0 {
            self.mark(place.block)
        }
        // The assignment of other cells depends on which cells are present and on possible centres, not on weights.
        let attracts = hasMoved && (isCenter || state == .unknown)
        let around = self.lookAround(place, nil)
        defer { self.lookAway(around.lowerBound) }
        var isTurned = false
        for number in around {
            let neighbor = self.near[number]
            let other = self.cells[neighbor.index]
            let before = self.relation(old, place, other, neighbor.place)
            let after = self.relation(fresh, place, other, neighbor.place)
            if before != after {
                isTurned = true
                if other.state != .unknown { self.queue(neighbor.place) }
            }
            guard before != .far || after != .far else { continue }
            if other.state.isGone {
                if attracts { self.part(neighbor.place) }
            } else if other.state == .center {
                // The cell may be assigned to that centre now, which is not evaluated.
                if after != .far, state.centerOffset == nil { self.mark(neighbor.place.block) }
            } else if isCenter, after != .far {
                self.mark(place.block)
            }
        }
        self.cells[index] = fresh
        guard fresh.weight > 0 else {
            self.blocks[place.block].occupied &= ~(1 << UInt64(place.bit))
            return
        }
        self.cells[index].state = state
        if isTurned, state != .unknown { self.queue(place) }
        if hasMoved, state.isGone { self.part(place) }
    }

    private func relation(_ cell: Cell, _ place: Place, _ other: Cell, _ otherPlace: Place) -> Relation {
        guard cell.weight > 0, cell.squaredDistance(to: other) < self.radius else { return .far }
        if cell.weight != other.weight { return cell.weight > other.weight ? .before : .behind }
        return self.hash(place) > self.hash(otherPlace) ? .before : .behind
    }

    /// Marks the tile of the centre that a cell is assigned to.
    private mutating func markCenter(of place: Place, _ state: CellState) {
        guard let offset = state.centerOffset, let block = self.block(at: offset, from: place) else { return }
        self.mark(block)
    }

    /// Queues the evaluation of a cell.
    private mutating func queue(_ place: Place) {
        let bit = UInt64(1) << UInt64(place.bit)
        guard self.blocks[place.block].queued & bit == 0 else { return }
        self.blocks[place.block].queued |= bit
        let cell = self.cells[self.index(place)]
        self.pendingCells.append(PendingCell(weight: cell.weight, hash: self.hash(place), place: place))
        if self.isHeap { self.raise(self.pendingCells.count - 1) }
    }

    /// Queues the reassignment of a cell.
    private mutating func part(_ place: Place) {
        let bit = UInt64(1) << UInt64(place.bit)
        guard self.blocks[place.block].needsReassign & bit == 0 else { return }
        self.blocks[place.block].needsReassign |= bit
        self.parting.append(place)
    }

    // MARK: 2. Queued cells

    private mutating func reevaluate(_ place: Place, _ tree: PointTree) {
        let index = self.index(place)
        let state = self.cells[index].state
        guard state != .unknown else { return }
        let isCenter = self.isCenter(place, tree)
        guard isCenter != (state == .center) else { return }
        self.flips += 1
        self.mark(place.block)
        self.markCenter(of: place, state)
        self.cells[index].state = isCenter ? .center : .absorbed
        if !isCenter { self.part(place) }
        let cell = self.cells[index]
        let around = self.lookAround(place, nil)
        defer { self.lookAway(around.lowerBound) }
        for number in around {
            let neighbor = self.near[number]
            let other = self.cells[neighbor.index]
            guard other.state != .unknown else { continue }
            switch self.relation(cell, place, other, neighbor.place) {
            case .far: continue
            case .before: self.queue(neighbor.place)
            case .behind: break
            }
            if other.state.isGone { self.part(neighbor.place) }
        }
    }

    /// Builds the heap of queued cells by their current weights.
    private mutating func makeHeap() {
        for number in self.pendingCells.indices {
            let place = self.pendingCells[number].place
            self.pendingCells[number].weight = self.cells[self.index(place)].weight
        }
        for number in (0..<self.pendingCells.count / 2).reversed() { self.lower(number) }
        self.isHeap = true
    }

    private mutating func popPendingCell() -> Place? {
        guard let first = self.pendingCells.first else { return nil }
        let last = self.pendingCells.removeLast()
        if !self.pendingCells.isEmpty {
            self.pendingCells[0] = last
            self.lower(0)
        }
        self.blocks[first.place.block].queued &= ~(1 << UInt64(first.place.bit))
        return first.place
    }

    private mutating func raise(_ last: Int) {
        var child = last
        while child > 0 {
            let parent = (child - 1) / 2
            guard self.pendingCells[child].precedes(self.pendingCells[parent]) else { return }
            self.pendingCells.swapAt(child, parent)
            child = parent
        }
    }

    private mutating func lower(_ first: Int) {
        var parent = first
        while true {
            var child = 2 * parent + 1
            guard child < self.pendingCells.count else { return }
            if child + 1 < self.pendingCells.count, self.pendingCells[child + 1].precedes(self.pendingCells[child]) {
                child += 1
            }
            guard self.pendingCells[child].precedes(self.pendingCells[parent]) else { return }
            self.pendingCells.swapAt(child, parent)
            parent = child
        }
    }

    // MARK: 3. Cells that need reassignment

    private mutating func reassign(_ place: Place, _ tree: PointTree) {
        self.blocks[place.block].needsReassign &= ~(1 << UInt64(place.bit))
        guard self.blocks[place.block].occupied >> UInt64(place.bit) & 1 != 0 else { return }
        let index = self.index(place)
        let state = self.cells[index].state
        guard state == .absorbed || state.isGone else { return }
        let fresh = self.nearestCenter(to: place, tree)
        guard fresh != state else { return }
        self.markCenter(of: place, state)
        self.cells[index].state = fresh
        self.markCenter(of: place, fresh)
    }
}
