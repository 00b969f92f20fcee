import MusterCore

// Google's "encoded polyline algorithm": differences of degrees in units of 1e-5, zigzag encoded. They are split into
// groups of five bits, the lowest first. Each group plus 63 is a character; 32 is added where more groups follow.

/// A line as a short text, in the format of OSRM and many maps.
enum Polyline {
    private static let scale = 100_000.0

    /// The points of a line; nil when the text is invalid.
    static func points(_ text: String) -> [Coordinate]? {
        var points: [Coordinate] = []
        var (latitude, longitude) = (0, 0)
        var bytes = text.utf8.makeIterator()
        while true {
            guard let first = bytes.next() else { return points }
            guard let north = Self.number(first, &bytes), let next = bytes.next(), let east = Self.number(next, &bytes)
            else { return nil }
            latitude += north
            longitude += east
            guard let point = Coordinate(validating: Double(latitude) / Self.scale, Double(longitude) / Self.scale)
            else { return nil }
            points.append(point)
        }
    }

    /// The text of a line.
    static func text(_ points: [Coordinate]) -> String {
        var bytes: [UInt8] = []
        var (latitude, longitude) = (0, 0)
        for point in points {
            let north = Int((point.latitude * Self.scale).rounded())
            let east = Int((point.longitude * Self.scale).rounded())
            Self.append(north - latitude, to: &bytes)
            Self.append(east - longitude, to: &bytes)
            (latitude, longitude) = (north, east)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func append(_ number: Int, to bytes: inout [UInt8]) {
        var rest = number < 0 ? ~(number << 1) : number << 1
        while rest >= 0x20 {
            bytes.append(UInt8(rest & 0x1f | 0x20) + 63)
            rest >>= 5
        }
        bytes.append(UInt8(rest) + 63)
    }

    private static func number(_ first: UInt8, _ bytes: inout String.UTF8View.Iterator) -> Int? {
        var (value, shift, byte) = (0, 0, first)
        while true {
            // Seven groups can hold any difference of degrees.
            guard (63...126).contains(byte), shift < 35 else { return nil }
            value |= (Int(byte - 63) & 0x1f) << shift
            shift += 5
            guard byte - 63 >= 0x20 else { return value & 1 == 0 ? value >> 1 : ~(value >> 1) }
            guard let next = bytes.next() else { return nil }
            byte = next
        }
    }
}
