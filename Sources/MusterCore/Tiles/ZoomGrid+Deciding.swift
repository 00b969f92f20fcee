extension ZoomGrid {
    /// The result of evaluating a cell.
    private enum Verdict {
        case center
        case absorbed
        /// Another cell must be evaluated first: it precedes the cell and is near it.
        case depends(Place)
    }

    /// Evaluates a cell, and first those that it depends on.
    ///
    /// A cell depends only on cells that precede it, so this ends. The stack is explicit: an attacker could place
    /// points so that each cell of a long row depends on the next.
    mutating func decide(_ place: Place, _ tree: PointTree) {
        let floor = self.asked.count
        self.asked.append(place)
        while self.asked.count > floor {
            let top = self.asked[self.asked.count - 1]
            let index = self.index(top)
            guard self.cells[index].state == .unknown else {
                self.asked.removeLast()
                continue
            }
            switch self.evaluate(top, tree) {
            case .center: self.cells[index].state = .center
            case .absorbed: self.cells[index].state = .absorbed
            case .depends(let other): self.asked.append(other)
            }
        }
    }

    /// Whether a cell is a centre, independent of its previous state.
    mutating func isCenter(_ place: Place, _ tree: PointTree) -> Bool {
        while true {
            switch self.evaluate(place, tree) {
            case .center: return true
            case .absorbed: return false
            case .depends(let other): self.decide(other, tree)
            }
        }
    }

    private mutating func evaluate(_ place: Place, _ tree: PointTree) -> Verdict {
        let around = self.lookAround(place, tree)
        defer { self.lookAway(around.lowerBound) }
        let cell = self.cells[self.index(place)]
        var first: (weight: UInt32, place: Place)?
        var hash: UInt64?
        for number in around {
            let neighbor = self.near[number]
            let other = self.cells[neighbor.index]
            let state = other.state
            guard state == .center || state == .unknown, other.weight >= cell.weight,
                cell.squaredDistance(to: other) < self.radius
            else { continue }
            if other.weight == cell.weight {
                let own = hash ?? self.hash(place)
                hash = own
                guard self.hash(neighbor.place) > own else { continue }
            }
            if state == .center { return .absorbed }
            // The heaviest one is the most likely centre.
            if first.map({ other.weight > $0.weight }) ?? true { first = (other.weight, neighbor.place) }
        }
        return first.map { .depends($0.place) } ?? .center
    }

    /// Evaluates a cell, and finds its centre if that is not known.
    mutating func assign(_ place: Place, _ tree: PointTree) {
        self.decide(place, tree)
        let index = self.index(place)
        guard self.cells[index].state == .absorbed else { return }
        self.cells[index].state = self.nearestCenter(to: place, tree)
    }

    /// The state of a cell that is not a centre: the nearest centre.
    mutating func nearestCenter(to place: Place, _ tree: PointTree) -> CellState {
        let cell = self.cells[self.index(place)]
        let around = self.lookAround(place, tree)
        defer { self.lookAway(around.lowerBound) }
        var best: (distance: Int64, neighbor: Neighbor)?
        for number in around {
            let neighbor = self.near[number]
            let other = self.cells[neighbor.index]
            let distance = cell.squaredDistance(to: other)
            guard distance < self.radius else { continue }
            if other.state == .unknown { self.decide(neighbor.place, tree) }
            guard self.cells[neighbor.index].state == .center else { continue }
            if let best {
                guard distance <= best.distance else { continue }
                if distance == best.distance, self.hash(neighbor.place) < self.hash(best.neighbor.place) { continue }
            }
            best = (distance, neighbor)
        }
        guard let best else { preconditionFailure("a cell that is no centre is near one") }
        return CellState(goingTo: best.neighbor.offset)
    }
}
