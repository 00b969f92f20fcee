import ImagingWire

extension ImagingPool {
    /// Draws a share picture, and without its tiles when with them there is none: they are a stranger's, and must not end it.
    ///
    /// - Throws: why there is none.
    func draw(_ picture: SharePicture) async throws(ImagingFailure) -> [UInt8] {
        do throws(ImagingFailure) {
            let made = try await self.make(.share, of: picture.encoded)
            guard let drawn = made.first, made.count == 1 else { throw .unavailable }
            return drawn.bytes
        } catch {
            guard !picture.tiles.isEmpty, error != .busy else { throw error }
            var plain = picture
            (plain.tiles, plain.tileAttribution) = ([], "")
            return try await self.draw(plain)
        }
    }
}
