import MusterCore

extension TileAddress {
    /// The number of the tile in a PMTiles file: tiles by zoom, and those of one zoom along a Hilbert curve.
    ///
    /// The tiles below one tile have consecutive numbers in each zoom.
    var hilbertNumber: UInt64 {
        var number = (UInt64(1) << (2 * UInt64(self.zoom)) - 1) / 3
        var (x, y) = (self.x, self.y)
        for level in (0..<self.zoom).reversed() {
            let side = 1 << level
            let (isEast, isSouth) = (x & side != 0, y & side != 0)
            let quadrant: UInt64 = isEast ? (isSouth ? 2 : 3) : (isSouth ? 1 : 0)
            number += quadrant << (2 * UInt64(level))
            x &= side - 1
            y &= side - 1
            guard !isSouth else { continue }
            // The curve of a northern quadrant is mirrored.
            if isEast { (x, y) = (side - 1 - x, side - 1 - y) }
            (x, y) = (y, x)
        }
        return number
    }
}
