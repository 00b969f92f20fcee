import MusterCore
import MusterWire

/// A `geo:` URI (RFC 5870), with the name in the format of map apps: `geo:40.7,-74.0?q=40.7,-74.0(Blue%20Bottle)`.
struct GeoLink {
    /// The URI.
    let text: String

    /// Creates a link to a point.
    init(to point: Coordinate, name: String) {
        let place = "\(Self.decimal(point.latitude)),\(Self.decimal(point.longitude))"
        self.text = "geo:\(place)?q=\(place)(\(Self.percentEncoded(name)))"
    }

    /// Returns degrees in the precision of frames, but always with a decimal.
    private static func decimal(_ degrees: Double) -> String {
        var digits: [UInt8] = []
        digits.append(degrees: degrees)
        let text = String(decoding: digits, as: UTF8.self)
        return digits.contains(UInt8(ascii: ".")) ? text : text + ".0"
    }

    /// Percent-encodes a text as part of a URI: all characters except the unreserved ones (RFC 3986).
    private static func percentEncoded(_ text: String) -> String {
        var encoded: [UInt8] = []
        for byte in text.utf8 {
            if byte.isUnreserved {
                encoded.append(byte)
            } else {
                encoded.append(UInt8(ascii: "%"))
                encoded += [byte >> 4, byte & 0xf].map { $0 < 10 ? 0x30 + $0 : 0x37 + $0 }
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }
}

extension UInt8 {
    /// Whether the character is unreserved in a URI.
    fileprivate var isUnreserved: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        case _: false
        }
    }
}
