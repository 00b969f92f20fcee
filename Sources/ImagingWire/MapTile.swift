/// A tile of the Web Mercator map, as tile servers number them: at a zoom z the map has 2ᶻ columns eastwards from the date line, and
/// as many rows southwards from 85.0511° north.
package struct MapTile: Hashable, Sendable {
    /// The deepest zoom; the smallest share picture takes 18.
    package static let deepest = 20
    /// Pixels of a tile's side.
    package static let side = 256

    /// How often the map is halved.
    package let zoom: Int
    /// Eastwards from the date line.
    package let column: Int
    /// Southwards from the map's northern edge.
    package let row: Int

    /// A tile of a zoom; nil when the map has none there.
    package init?(zoom: Int, column: Int, row: Int) {
        guard (0...Self.deepest).contains(zoom) else { return nil }
        let columns = 0..<1 << zoom
        guard columns.contains(column), columns.contains(row) else { return nil }
        self.zoom = zoom
        self.column = column
        self.row = row
    }

    /// Its western edge, in parts of the map's side.
    package var west: Double { Double(self.column) / Double(1 << self.zoom) }
    /// Its northern edge, in parts of the map's side.
    package var north: Double { Double(self.row) / Double(1 << self.zoom) }
    /// Its side, in parts of the map's.
    package var extent: Double { 1 / Double(1 << self.zoom) }

    /// Whether a file begins as a PNG of 256×256 does; nothing is decoded.
    package static func isLikely(_ file: some Collection<UInt8>) -> Bool {
        let size: [UInt8] = [0, 0, 1, 0]
        return file.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
            && file.dropFirst(12).starts(with: "IHDR".utf8) && file.dropFirst(16).starts(with: size + size)
    }
}
