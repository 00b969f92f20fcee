import MusterMath

/// A point on the square web Mercator map (EPSG:3857), in 2⁻³² of its side: steps of 9 mm at the equator.
///
/// Tiles, cells and distances between clusters are integers on this map, so every machine computes the same clusters.
package struct MercatorPoint: Hashable, Sendable {
    /// The distance eastwards from the date line.
    ///
    /// The map is round: the first column is east of the last one.
    package var x: UInt32
    /// The distance southwards from 85.0511° north.
    package var y: UInt32

    /// Creates a point of the map.
    package init(x: UInt32, y: UInt32) {
        self.x = x
        self.y = y
    }

    /// Converts a finite coordinate; latitudes beyond 85.0511° move to the map's edge.
    package init(_ coordinate: Coordinate) {
        let turns = coordinate.longitude / 360 + 0.5
        let sine = sine(coordinate.latitude * .pi / 180)
        // The inverse of the Gudermannian function: atanh(sin φ).
        let height = 0.5 - naturalLogarithm((1 + sine) / (1 - sine)) / (4 * .pi)
        self.init(x: Self.step(turns - turns.rounded(.down)), y: Self.step(height))
    }

    private static let side = 0x1p32

    private static func step(_ part: Double) -> UInt32 { UInt32(min(max(part * Self.side, 0), Self.side - 1)) }

    /// The coordinate of the point's north-western corner.
    package var coordinate: Coordinate {
        Self.coordinate(x: Double(self.x) / Self.side, y: Double(self.y) / Self.side)
    }

    /// The coordinate of a place given in fractions of the map's side, 0…1 eastwards and southwards.
    static func coordinate(x: Double, y: Double) -> Coordinate {
        let height = exponential((0.5 - y) * 2 * .pi)
        let latitude = 2 * arcTangent(height, 1) - .pi / 2
        return Coordinate(latitude: latitude * 180 / .pi, longitude: x * 360 - 180)
    }

    /// The interleaved bits of both numbers, those of `y` above those of `x`: points of one cell are consecutive
    /// (Morton, 1966).
    package var morton: UInt64 { Self.spread(self.x) | Self.spread(self.y) << 1 }

    /// Creates the point of a Morton code.
    package init(morton: UInt64) { self.init(x: Self.gathered(morton), y: Self.gathered(morton >> 1)) }

    private static func spread(_ number: UInt32) -> UInt64 {
        var bits = UInt64(number)
        bits = (bits | bits << 16) & 0x0000_FFFF_0000_FFFF
        bits = (bits | bits << 8) & 0x00FF_00FF_00FF_00FF
        bits = (bits | bits << 4) & 0x0F0F_0F0F_0F0F_0F0F
        bits = (bits | bits << 2) & 0x3333_3333_3333_3333
        return (bits | bits << 1) & 0x5555_5555_5555_5555
    }

    private static func gathered(_ number: UInt64) -> UInt32 {
        var bits = number & 0x5555_5555_5555_5555
        bits = (bits | bits >> 1) & 0x3333_3333_3333_3333
        bits = (bits | bits >> 2) & 0x0F0F_0F0F_0F0F_0F0F
        bits = (bits | bits >> 4) & 0x00FF_00FF_00FF_00FF
        bits = (bits | bits >> 8) & 0x0000_FFFF_0000_FFFF
        return UInt32(truncatingIfNeeded: bits | bits >> 16)
    }

    /// The tile that contains the point.
    package func tile(zoom: Int) -> TileAddress {
        // A shift by all 32 bits gives 0 for `>>`, as it must at zoom 0.
        TileAddress(checkedZoom: zoom, x: Int(self.x >> UInt32(32 - zoom)), y: Int(self.y >> UInt32(32 - zoom)))
    }
}
