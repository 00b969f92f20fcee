import CImagingShims
import ImagingWire

/// The land of the earth in the Mercator projection.
///
/// `scripts/make-land-outline` documents its source and format.
struct LandOutline {
    /// A closed line around land, or around water inside land.
    struct Ring {
        /// The points in units of the map's side, from its west and north edges.
        let points: [SIMD2<Double>]
        /// The minimum of both coordinates.
        let least: SIMD2<Double>
        /// The maximum of both coordinates.
        let greatest: SIMD2<Double>
    }

    /// The embedded outline, parsed on first use.
    static let whole = {
        var length = 0
        let start = muster_land(&length)
        return LandOutline(parsing: UnsafeRawBufferPointer(start: start, count: length))
    }()

    /// The rings.
    ///
    /// A point inside an odd number of them is on land.
    private(set) var rings: [Ring] = []

    /// Parses `{"scale": 100, "polygons": [[[lon, lat, Δlon, Δlat, …], …], …]}`.
    ///
    /// The file is our own, so it is not validated.
    private init(parsing json: UnsafeRawBufferPointer) {
        var scale = 1.0
        var depth = 0
        var numbers: [Int] = []
        var number: Int?
        var isNegative = false
        for byte in json {
            if (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) {
                number = (number ?? 0) * 10 + Int(byte - UInt8(ascii: "0"))
                continue
            }
            if let found = number {
                // The only number outside of all brackets is the scale.
                if depth == 0 { scale = Double(found) } else { numbers.append(isNegative ? -found : found) }
                number = nil
            }
            isNegative = byte == UInt8(ascii: "-")
            if byte == UInt8(ascii: "[") { depth += 1 }
            if byte == UInt8(ascii: "]") {
                depth -= 1
                if !numbers.isEmpty { self.rings.append(Ring(numbers, scale: scale)) }
                numbers.removeAll(keepingCapacity: true)
            }
        }
    }
}

extension LandOutline.Ring {
    fileprivate init(_ numbers: [Int], scale: Double) {
        var (longitude, latitude) = (0, 0)
        var points: [SIMD2<Double>] = []
        points.reserveCapacity(numbers.count / 2)
        for index in stride(from: 0, to: numbers.count - 1, by: 2) {
            longitude += numbers[index]
            latitude += numbers[index + 1]
            points.append([
                Double(longitude) / scale / 360 + 0.5, ShareMap.southwards(Double(latitude) / scale),
            ])
        }
        self.points = points
        self.least = points.reduce([2, 2]) { pointwiseMin($0, $1) }
        self.greatest = points.reduce([-1, -1]) { pointwiseMax($0, $1) }
    }
}
