// Spots lie in the cells of a grid whose rows are 0.01° high, about 1.1 km. A search reads every cell that its circle
// may touch.
//
// Invariant: `cells` and `places` contain the same spots; no cell is empty.

/// A spatial index of spots for nearest-neighbour queries.
///
/// The cost of insertion, deletion and search depends on the nearby cells, not on the total number of spots.
package struct SpotIndex: Sendable, Equatable {
    private static let grid = SphereGrid(rows: 18_000)

    private var cells: [Int: [NamedPlace]] = [:]
    private var places: [SpotID: Int] = [:]

    /// Creates an index of these spots; by default empty.
    package init(_ places: [NamedPlace] = []) {
        for place in places { self.insert(place) }
    }

    /// The number of spots.
    package var count: Int { self.places.count }

    /// Inserts a spot, replacing an existing one.
    package mutating func insert(_ place: NamedPlace) {
        self.remove(place.spot)
        let cell = Self.grid.cell(of: place.coordinate)
        self.cells[cell, default: []].append(place)
        self.places[place.spot] = cell
    }

    /// Deletes a spot, if it exists.
    package mutating func remove(_ spot: SpotID) {
        guard let cell = self.places.removeValue(forKey: spot) else { return }
        self.cells[cell]?.removeAll { $0.spot == spot }
        if self.cells[cell]?.isEmpty == true { self.cells[cell] = nil }
    }

    /// The spot nearest to a point within a radius in metres, the oldest of equally near ones; nil when there is none.
    package func nearest(to point: Coordinate, within radius: Double) -> NamedPlace? {
        guard !self.places.isEmpty else { return nil }
        var best: (distance: Double, place: NamedPlace)?
        Self.grid.forEachCell(touching: point, within: radius) { cell in
            for place in self.cells[cell] ?? [] {
                let distance = place.coordinate.distance(to: point)
                guard distance <= radius else { continue }
                if let best, (best.distance, best.place.spot) <= (distance, place.spot) { continue }
                best = (distance, place)
            }
        }
        return best?.place
    }

    /// The spots nearest to a point within a radius in metres, nearest first, and oldest first among equally near ones.
    package func nearest(_ count: Int, to point: Coordinate, within radius: Double) -> [NamedPlace] {
        guard !self.places.isEmpty else { return [] }
        var found: [(distance: Double, place: NamedPlace)] = []
        // Where spots are dense, a smaller radius finds enough.
        for reach in [radius / 10, radius / 3, radius] {
            found.removeAll(keepingCapacity: true)
            Self.grid.forEachCell(touching: point, within: reach) { cell in
                for place in self.cells[cell] ?? [] {
                    let distance = place.coordinate.distance(to: point)
                    if distance <= reach { found.append((distance, place)) }
                }
            }
            if found.count >= count { break }
        }
        found.sort { ($0.distance, $0.place.spot) < ($1.distance, $1.place.spot) }
        return found.prefix(count).map(\.place)
    }
}
