import MusterMath

// A row of cells is a band of latitude. Each row is divided into columns so that a cell is as wide as high at the row's
// longer edge. At the equator that is twice as many as there are rows; at a pole it is a few. So a circle of a given
// radius touches about as many cells everywhere. Columns are counted round the earth, without a seam at the
// antimeridian.
//
// A search visits every cell that its circle may touch. A circle of angular radius δ around latitude φ spans the
// latitudes φ ± δ. Unless it contains a pole, it spans the longitudes λ ± asin(sin δ / cos φ) (J. P. Matuschek,
// "Finding Points Within a Distance of a Latitude/Longitude Using Bounding Coordinates", 2010). Around a pole it visits
// whole rows.

/// A division of the sphere into numbered cells that are about as wide as high.
struct SphereGrid {
    /// A box around the points of a cell.
    struct Bounds {
        var south: Double
        var north: Double
        var west: Double
        var east: Double

        /// The empty box.
        static var none: Bounds { Bounds(south: 1, north: 0, west: 1, east: 0) }

        /// Whether a point lies within the box.
        func contains(_ point: Coordinate) -> Bool {
            point.latitude >= self.south && point.latitude < self.north && point.longitude >= self.west
                && point.longitude < self.east
        }
    }

    private let rows: Int
    private let rowsPerDegree: Double
    private let columnsAtEquator: Int

    /// Creates a grid with a number of rows from pole to pole.
    init(rows: Int) {
        self.rows = rows
        self.rowsPerDegree = Double(rows) / 180
        self.columnsAtEquator = 2 * rows
    }

    /// The height of a cell in metres.
    var cellHeight: Double { 180 * Coordinate.metresPerDegree / Double(self.rows) }

    /// The cell of a point.
    func cell(of point: Coordinate) -> Int {
        let row = self.row(at: point.latitude)
        let columns = self.columns(in: row)
        return self.cell(row: row, column: self.column(at: point.longitude, of: columns), of: columns)
    }

    /// The box of a cell.
    func bounds(of cell: Int) -> Bounds {
        let row = cell / self.columnsAtEquator
        let width = 360 / Double(self.columns(in: row))
        let column = Double(cell % self.columnsAtEquator)
        return Bounds(
            south: Double(row) / self.rowsPerDegree - 90,
            north: Double(row + 1) / self.rowsPerDegree - 90,
            west: column * width - 180,
            east: (column + 1) * width - 180
        )
    }

    /// Calls `body` once for every cell that a circle of `radius` metres may touch.
    func forEachCell(touching point: Coordinate, within radius: Double, _ body: (Int) -> Void) {
        let degree = Double.pi / 180
        // Slightly larger, to cover rounding errors.
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

    private func row(at latitude: Double) -> Int {
        let row = ((latitude + 90) * self.rowsPerDegree).rounded(.down)
        return Int(max(0, min(row, Double(self.rows - 1))))
    }

    /// The number of columns in a row.
    private func columns(in row: Int) -> Int {
        let south = Double(row) / self.rowsPerDegree - 90
        let nearest = south >= 0 ? south : min(0, south + 1 / self.rowsPerDegree)
        return max(1, Int(Double(self.columnsAtEquator) * cosine(nearest * .pi / 180)))
    }

    /// The column of a longitude, not wrapped into 0..<columns.
    private func column(at longitude: Double, of columns: Int) -> Int {
        Int(((longitude + 180) / 360 * Double(columns)).rounded(.down))
    }

    private func cell(row: Int, column: Int, of columns: Int) -> Int {
        let wrapped = column % columns
        return row * self.columnsAtEquator + (wrapped < 0 ? wrapped + columns : wrapped)
    }
}
