import ImagingWire

/// A tile of the map, decoded.
struct DecodedTile {
    /// Which.
    let place: MapTile
    /// Its pixels, 0xRRGGBB row by row.
    let pixels: [UInt32]

    /// Decodes a tile; nil when it is no PNG of a tile's size, or is damaged.
    init?(_ tile: SharePicture.Tile) {
        guard MapTile.isLikely(tile.file) else { return nil }
        let pixels: [UInt32]? = tile.file.withUnsafeBytes { bytes in
            do throws(ImagingRefusal) {
                let head = try PictureHead(of: bytes)
                guard head.width == MapTile.side, head.height == MapTile.side else { return nil }
                return try DecodedImage(decoding: bytes, side: MapTile.side, fit: .within).pixels()
            } catch {
                return nil
            }
        }
        guard let pixels, pixels.count == MapTile.side * MapTile.side else { return nil }
        self.place = tile.place
        self.pixels = pixels
    }
}
