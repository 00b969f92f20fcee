// Longitudes lie on a circle, so the hull of several parts is not the range from the minimum to the maximum. For
// example, parts from 177 to 180 and from −180 to −178 are neighbours. The smallest arc that contains all parts is the
// complement of the widest gap between two of them.
//
// A part itself ranges from its minimum to its maximum longitude, because GeoJSON cuts geometries at 180° (RFC 7946,
// 3.1.9). Files that do not cut have an edge of nearly 360°, such as from 179.9 to −179.9. Such an edge crosses 180°.
// An edge of up to 350° does not, as in a box around half of the world.

/// A range of longitudes from west to east in degrees; west is greater than east across 180°.
package struct LongitudeArc: Sendable, Equatable {
    /// The minimum span in degrees of an edge that crosses 180°.
    private static let widestEdge = 350.0

    package var west: Double
    package var east: Double

    /// Creates an arc.
    package init(west: Double, east: Double) {
        self.west = west
        self.east = east
    }

    /// Creates the arc of a polyline; nil when it has no points.
    package init?(line longitudes: some Collection<Double>) {
        guard let first = longitudes.first else { return nil }
        // Continues beyond ±180 where the line does.
        var (place, west, east) = (first, first, first)
        var last = first
        for longitude in longitudes.dropFirst() {
            let step = longitude - last
            place += abs(step) > Self.widestEdge && abs(step) < 360 ? step - (step > 0 ? 360 : -360) : step
            (west, east) = (min(west, place), max(east, place))
            last = longitude
        }
        if east - west >= 360 { (west, east) = (-180, 180) }
        self.init(west: Self.normal(west), east: Self.normal(east))
    }

    /// The smallest arc that contains all given ones; nil when there are none.
    package static func holding(_ arcs: [LongitudeArc]) -> LongitudeArc? {
        let parts = arcs.flatMap { arc in
            arc.west <= arc.east
                ? [arc] : [LongitudeArc(west: arc.west, east: 180), LongitudeArc(west: -180, east: arc.east)]
        }.sorted { $0.west < $1.west }
        guard let first = parts.first else { return nil }
        var reach = first.east
        var widest = -Double.infinity
        var inner: LongitudeArc?
        for part in parts.dropFirst() {
            if part.west - reach > widest {
                widest = part.west - reach
                inner = LongitudeArc(west: part.west, east: reach)
            }
            reach = max(reach, part.east)
        }
        // The gap across 180°.
        let outer = first.west + 360 - reach
        if let inner, widest > outer { return inner }
        return LongitudeArc(west: first.west, east: reach)
    }

    /// The longitude half-way between west and east.
    package var middle: Double {
        self.west <= self.east ? (self.west + self.east) / 2 : Self.normal((self.west + self.east + 360) / 2)
    }

    /// The longitude normalised to −180...180.
    private static func normal(_ longitude: Double) -> Double {
        longitude > 180 ? longitude - 360 : longitude < -180 ? longitude + 360 : longitude
    }
}
