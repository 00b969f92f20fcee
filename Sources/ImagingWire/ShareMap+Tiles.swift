package import MusterCore

extension ShareMap {
    /// The deepest zoom of a tile; the smallest picture lies on those of 18.
    package static let deepestZoom = 20
    /// The most tiles that a picture lies on.
    package static let mostTiles = 12

    /// The tiles that the picture lies on, row by row: those of the deepest zoom at which they are at most `mostTiles`.
    ///
    /// Each is there once, also where the world is smaller than the picture and its first column is its last.
    package var tiles: [TileAddress] {
        var found = self.tiles(at: 0)
        for zoom in 1...Self.deepestZoom {
            let deeper = self.tiles(at: zoom)
            guard deeper.count <= Self.mostTiles else { break }
            found = deeper
        }
        return found
    }

    /// Where a tile is drawn, in whole pixels, so that neighbours meet; `copy` says how many times around the earth.
    package func box(of tile: TileAddress, copy: Double) -> Box {
        let count = Double(1 << tile.zoom)
        let corner = self.pixel(x: Double(tile.x) / count, y: Double(tile.y) / count, copy: copy)
        let opposite = self.pixel(x: Double(tile.x + 1) / count, y: Double(tile.y + 1) / count, copy: copy)
        let (left, top) = (corner.x.rounded(), corner.y.rounded())
        return Box(x: left, y: top, width: opposite.x.rounded() - left, height: opposite.y.rounded() - top)
    }

    private func tiles(at zoom: Int) -> [TileAddress] {
        let count = 1 << zoom
        let (world, shown) = (self.world, self.shownWorld)
        // From the middle of the first pixel to that of the last: what is less is rounded away.
        let (left, right) = (shown.x + 0.5, shown.x + shown.width - 0.5)
        let (top, bottom) = (shown.y + 0.5, shown.y + shown.height - 0.5)
        func number(_ part: Double) -> Int { Int((part * Double(count)).rounded(.down)) }
        let rows = number((top - world.y) / world.height)...number((bottom - world.y) / world.height)
        let columns = number(self.eastwards(left))...number(self.eastwards(right))
        // Around the earth, the first column is east of the last.
        let once = columns.prefix(count).map { ($0 % count + count) % count }
        return rows.flatMap { row in once.compactMap { TileAddress(zoom: zoom, x: $0, y: row) } }
    }
}
