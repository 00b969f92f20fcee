package import MusterCore
import MusterMath

extension ShareMap {
    /// The maximum zoom of a tile.
    ///
    /// The picture with the largest scale uses tiles of zoom 18.
    package static let deepestZoom = 20
    /// The maximum number of tiles of a picture.
    package static let mostTiles = 12

    /// The tiles of the picture, row by row, at the deepest zoom with at most `mostTiles` tiles.
    ///
    /// Each tile is listed once, even if the world is narrower than the picture so that its first and last columns are
    /// equal.
    package var tiles: [TileAddress] { self.tiles(upTo: Self.deepestZoom) }

    /// Returns the tiles of the picture at the deepest zoom up to `deepest`, at most `mostTiles`.
    package func tiles(upTo deepest: Int) -> [TileAddress] {
        var found = self.tiles(at: 0)
        for zoom in 1...max(1, min(deepest, Self.deepestZoom)) where zoom <= deepest {
            let deeper = self.tiles(at: zoom)
            guard deeper.count <= Self.mostTiles else { break }
            found = deeper
        }
        return found
    }

    /// Returns the rectangle of a tile in whole pixels, so that neighbours meet.
    ///
    /// `copy` shifts it by whole turns around the earth.
    package func box(of tile: TileAddress, copy: Double) -> Box {
        let count = Double(1 << tile.zoom)
        let corner = self.pixel(x: Double(tile.x) / count, y: Double(tile.y) / count, copy: copy)
        let opposite = self.pixel(x: Double(tile.x + 1) / count, y: Double(tile.y + 1) / count, copy: copy)
        let (left, top) = (corner.x.rounded(), corner.y.rounded())
        return Box(x: left, y: top, width: opposite.x.rounded() - left, height: opposite.y.rounded() - top)
    }

    /// Returns the corner of a tile in pixels, and its side.
    package func square(of tile: TileAddress, copy: Double) -> (corner: Pixel, side: Double) {
        let count = Double(1 << tile.zoom)
        let corner = self.pixel(x: Double(tile.x) / count, y: Double(tile.y) / count, copy: copy)
        return (corner, self.world.width / count)
    }

    /// Returns the rectangle of a part of the street map.
    package func box(of part: SharePicture.Part, copy: Double) -> Box {
        let corner = self.pixel(x: part.west / 360 + 0.5, y: Self.southwards(part.north), copy: copy)
        let opposite = self.pixel(x: part.east / 360 + 0.5, y: Self.southwards(part.south), copy: copy)
        return Box(x: corner.x, y: corner.y, width: opposite.x - corner.x, height: opposite.y - corner.y)
    }

    /// The zoom of a web map of this scale, whose world is 256 px wide at zoom 0.
    package var zoom: Double { naturalLogarithm(self.world.width / 256) / naturalLogarithm(2) }

    private func tiles(at zoom: Int) -> [TileAddress] {
        let count = 1 << zoom
        let (world, shown) = (self.world, self.shownWorld)
        // From the centre of the first pixel to that of the last, because a smaller overlap is rounded away.
        let (left, right) = (shown.x + 0.5, shown.x + shown.width - 0.5)
        let (top, bottom) = (shown.y + 0.5, shown.y + shown.height - 0.5)
        func number(_ part: Double) -> Int { Int((part * Double(count)).rounded(.down)) }
        let rows = number((top - world.y) / world.height)...number((bottom - world.y) / world.height)
        let columns = number(self.eastwards(left))...number(self.eastwards(right))
        // Wraps around the date line, where the first column is east of the last.
        let once = columns.prefix(count).map { ($0 % count + count) % count }
        return rows.flatMap { row in once.compactMap { TileAddress(zoom: zoom, x: $0, y: row) } }
    }
}
