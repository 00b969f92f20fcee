import ImagingWire

extension ImagingPool {
    /// Draws a share picture.
    ///
    /// If this fails, it draws the picture without map tiles: they come from a foreign server or file, and must not
    /// prevent the picture.
    ///
    /// - Throws: the reason why there is no picture.
    func draw(_ picture: SharePicture) async throws(ImagingFailure) -> [UInt8] {
        do throws(ImagingFailure) {
            let made = try await self.make(.share, of: picture.encoded)
            guard let drawn = made.first, made.count == 1 else { throw .unavailable }
            return drawn.bytes
        } catch {
            guard !picture.tiles.isEmpty, error != .busy else { throw error }
            var plain = picture
            (plain.tiles, plain.parts, plain.tileAttribution) = ([], [], "")
            return try await self.draw(plain)
        }
    }
}
