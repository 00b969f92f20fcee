import ImagingWire
import MusterCore

/// A decoded map tile.
struct DecodedTile {
    /// The address of the tile.
    let place: TileAddress
    /// Its pixels, 0xRRGGBB row by row.
    let pixels: [UInt32]

    /// Decodes a tile; nil if it is damaged, or is not a PNG of a tile's size.
    init?(_ tile: SharePicture.Tile) {
        guard SharePicture.Tile.isLikely(tile.file) else { return nil }
        let pixels: [UInt32]? = tile.file.withUnsafeBytes { bytes in
            do throws(ImagingRefusal) {
                let head = try PictureHead(of: bytes)
                guard head.width == SharePicture.Tile.side, head.height == SharePicture.Tile.side else { return nil }
                return try DecodedImage(decoding: bytes, side: SharePicture.Tile.side, fit: .within).pixels()
            } catch {
                return nil
            }
        }
        guard let pixels, pixels.count == SharePicture.Tile.side * SharePicture.Tile.side else { return nil }
        self.place = tile.place
        self.pixels = pixels
    }
}
