/// The tiles of one zoom that cover a box on the map; a box whose west is east of its east crosses the date line.
package struct TileCover: Hashable, Sendable {
    /// The largest number of tiles in one subscription.
    package static let limit = 64

    package let zoom: Int
    private let rows: ClosedRange<Int>
    private let columns: ClosedRange<Int>
    /// The columns beyond the date line.
    private let wrappedColumns: ClosedRange<Int>?

    /// Creates the cover of a box.
    ///
    /// - Parameters:
    ///   - zoom: 0…22.
    ///   - west: degrees, −180…180; greater than `east` if the box crosses the date line.
    ///   - south: degrees, −90…90; beyond the map's edge, the last row counts.
    ///   - east: degrees, −180…180.
    ///   - north: degrees, −90…90, not below `south`.
    package init(zoom: Int, west: Double, south: Double, east: Double, north: Double) {
        self.zoom = zoom
        let row = { (latitude: Double) in
            MercatorPoint(Coordinate(latitude: latitude, longitude: 0)).tile(zoom: zoom).y
        }
        self.rows = row(north)...max(row(north), row(south))
        let last = 1 << zoom - 1
        let column = { (longitude: Double) in
            min(last, max(0, Int((longitude + 180) / 360 * Double(1 << zoom))))
        }
        guard west > east else {
            self.columns = column(west)...column(east)
            self.wrappedColumns = nil
            return
        }
        // At low zooms both ends may lie in one column, and then every column is covered.
        guard column(west) > column(east) else {
            self.columns = 0...last
            self.wrappedColumns = nil
            return
        }
        self.columns = column(west)...last
        self.wrappedColumns = 0...column(east)
    }

    /// The number of tiles.
    package var count: Int { self.rows.count * (self.columns.count + (self.wrappedColumns?.count ?? 0)) }

    /// The tiles, row by row from north, and from west within a row.
    package var tiles: [TileAddress] {
        self.rows.flatMap { row in
            (Array(self.columns) + (self.wrappedColumns.map(Array.init) ?? [])).compactMap { column in
                TileAddress(zoom: self.zoom, x: column, y: row)
            }
        }
    }
}
