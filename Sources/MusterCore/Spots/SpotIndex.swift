import MusterMath

// Spots lie in the cells of a grid on the sphere. A row of cells is a band of latitude 0.01° high, some 1.1 km. Each row is
// divided into as many columns as make a cell as wide as high at the row's longer edge: 36,000 at the equator, six at a
// pole. So a circle of so many metres touches about as many cells everywhere, and columns are counted round the earth,
// without a seam at the antimeridian.
//
// A search looks into every cell that its circle may touch. A circle of angular radius δ around latitude φ spans the
// latitudes φ ± δ, and, unless it holds a pole, the longitudes λ ± asin(sin δ / cos φ) (J. P. Matuschek, "Finding Points
// Within a Distance of a Latitude/Longitude Using Bounding Coordinates", 2010). Round a pole it looks at whole rows.
//
// Invariant: `cells` and `places` hold the same spots; no cell is empty.

/// Where spots are, for finding the nearest to a point.
///
/// Adding, deleting and finding cost what lies in the cells nearby, however many spots there are.
package struct SpotIndex: Sendable, Equatable {
    private static let rowsPerDegree = 100.0
    private static let rowCount = 18_000
    private static let columnsAtEquator = 36_000

    private var cells: [UInt32: [NamedPlace]] = [:]
    private var places: [SpotID: UInt32] = [:]

    /// Knows these spots; by default none.
    package init(_ places: [NamedPlace] = []) {
        for place in places { self.insert(place) }
    }

    /// How many spots there are.
    package var count: Int { self.places.count }

    /// Adds a spot; one that is there already is replaced.
    package mutating func insert(_ place: NamedPlace) {
        self.remove(place.spot)
        let cell = Self.cell(of: place.coordinate)
        self.cells[cell, default: []].append(place)
        self.places[place.spot] = cell
    }

    /// Deletes a spot, if it is there.
    package mutating func remove(_ spot: SpotID) {
        guard let cell = self.places.removeValue(forKey: spot) else { return }
        self.cells[cell]?.removeAll { $0.spot == spot }
        if self.cells[cell]?.isEmpty == true { self.cells[cell] = nil }
    }

    /// The spot nearest to a point within so many metres, of equally near ones the oldest; nil when there is none.
    package func nearest(to point: Coordinate, within radius: Double) -> NamedPlace? {
        guard !self.places.isEmpty else { return nil }
        var best: (distance: Double, place: NamedPlace)?
        Self.forEachCell(touching: point, within: radius) { cell in
            for place in self.cells[cell] ?? [] {
                let distance = place.coordinate.distance(to: point)
                guard distance <= radius else { continue }
                if let best, (best.distance, best.place.spot) <= (distance, place.spot) { continue }
                best = (distance, place)
            }
        }
        return best?.place
    }

    // MARK: Cells

    private static func cell(of point: Coordinate) -> UInt32 {
        let row = self.row(at: point.latitude)
        let columns = self.columns(in: row)
        return self.cell(row: row, column: self.column(at: point.longitude, of: columns), of: columns)
    }

    private static func forEachCell(
        touching point: Coordinate,
        within radius: Double,
        _ body: (UInt32) -> Void
    ) {
        let degree = Double.pi / 180
        // A little more, for what rounding takes away.
        let angle = radius / Coordinate.earthRadius * (1 + 1e-9) + 1e-12
        let north = point.latitude + angle / degree
        let south = point.latitude - angle / degree
        let sineOfEast = sine(min(angle, .pi / 2)) / cosine(point.latitude * degree)
        let holdsPole = north >= 90 || south <= -90 || sineOfEast >= 1
        let east = holdsPole ? 180 : arcSine(sineOfEast) / degree + 1e-9
        for row in self.row(at: south)...self.row(at: north) {
            let columns = self.columns(in: row)
            let first = self.column(at: point.longitude - east, of: columns)
            let last = self.column(at: point.longitude + east, of: columns)
            for column in first...min(last, first + columns - 1) {
                body(self.cell(row: row, column: column, of: columns))
            }
        }
    }

    private static func row(at latitude: Double) -> Int {
        let row = ((latitude + 90) * self.rowsPerDegree).rounded(.down)
        return Int(max(0, min(row, Double(self.rowCount - 1))))
    }

    /// How many columns a row has.
    private static func columns(in row: Int) -> Int {
        let south = Double(row) / self.rowsPerDegree - 90
        let nearest = south >= 0 ? south : min(0, south + 1 / self.rowsPerDegree)
        return max(1, Int(Double(self.columnsAtEquator) * cosine(nearest * .pi / 180)))
    }

    /// The column of a longitude, counted on beyond 0 and the number of columns.
    private static func column(at longitude: Double, of columns: Int) -> Int {
        Int(((longitude + 180) / 360 * Double(columns)).rounded(.down))
    }

    private static func cell(row: Int, column: Int, of columns: Int) -> UInt32 {
        let wrapped = column % columns
        return UInt32(row * self.columnsAtEquator + (wrapped < 0 ? wrapped + columns : wrapped))
    }
}
