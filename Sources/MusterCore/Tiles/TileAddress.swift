/// A tile of the web Mercator map: at zoom `z` there are 2ᶻ × 2ᶻ, with columns counted from west and rows from north.
package struct TileAddress: Hashable, Sendable {
    /// The zooms of tiles.
    package static let zooms = 0...22

    /// The address as one number: zoom, row and column from the highest bits, 22 bits each for row and column.
    package let packed: Int64

    private static let bits = Int64(22)

    /// Creates the address of a tile; nil if there is no such tile.
    package init?(zoom: Int, x: Int, y: Int) {
        guard Self.zooms ~= zoom, 0..<(1 << zoom) ~= x, 0..<(1 << zoom) ~= y else { return nil }
        self.init(checkedZoom: zoom, x: x, y: y)
    }

    /// Unpacks an address; nil if there is no such tile.
    package init?(packed: Int64) {
        let mask = Int64(1) << Self.bits - 1
        let zoom = Int(packed >> (2 * Self.bits))
        self.init(zoom: zoom, x: Int(packed & mask), y: Int(packed >> Self.bits & mask))
    }

    /// Creates the address of a tile that is known to exist.
    init(checkedZoom zoom: Int, x: Int, y: Int) {
        self.packed = Int64(zoom) << (2 * Self.bits) | Int64(y) << Self.bits | Int64(x)
    }

    /// The zoom, 0…22.
    package var zoom: Int { Int(self.packed >> (2 * Self.bits)) }
    /// The column, from the date line eastwards.
    package var x: Int { Int(self.packed & (1 << Self.bits - 1)) }
    /// The row, from north.
    package var y: Int { Int(self.packed >> Self.bits & (1 << Self.bits - 1)) }

    /// The tile's north-western corner.
    package var corner: MercatorPoint {
        MercatorPoint(x: UInt32(self.x << (32 - self.zoom)), y: UInt32(self.y << (32 - self.zoom)))
    }
}

extension TileAddress: Codable {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let tile = Self(packed: try container.decode(Int64.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "the tile does not exist")
        }
        self = tile
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(self.packed)
    }
}

extension TileAddress: CustomStringConvertible {
    /// The address in the form `12/1205/1539`.
    package var description: String { "\(self.zoom)/\(self.x)/\(self.y)" }
}
