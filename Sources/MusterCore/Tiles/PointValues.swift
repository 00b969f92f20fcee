// The fields are concatenated. Each is a length plus one in groups of seven bits, the lowest first, and then UTF-8; a
// length of 0 means "no value". So a million points need a million arrays, and not four million strings.

/// The values of a point besides its id: a text or nil for each field of the kind, in one allocation.
package struct PointValues: Hashable, Sendable {
    private let bytes: [UInt8]

    /// Packs values, in the order of the kind's fields.
    package init(_ values: [String?] = []) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(values.reduce(0) { $0 + 2 + ($1?.utf8.count ?? 0) })
        for value in values {
            var length = value.map { $0.utf8.count + 1 } ?? 0
            while length >= 0x80 {
                bytes.append(UInt8(length & 0x7f) | 0x80)
                length >>= 7
            }
            bytes.append(UInt8(length))
            if let value { bytes.append(contentsOf: value.utf8) }
        }
        self.bytes = bytes
    }

    /// The memory in bytes: an array header and its content.
    var size: Int { self.bytes.isEmpty ? 0 : 32 + self.bytes.count }

    /// The values, in the order of the kind's fields.
    package var values: [String?] {
        var values: [String?] = []
        var place = 0
        while place < self.bytes.count {
            var (length, shift) = (0, 0)
            while self.bytes[place] & 0x80 != 0 {
                length |= Int(self.bytes[place] & 0x7f) << shift
                shift += 7
                place += 1
            }
            length |= Int(self.bytes[place]) << shift
            place += 1
            guard length > 0 else {
                values.append(nil)
                continue
            }
            values.append(String(decoding: self.bytes[place..<(place + length - 1)], as: UTF8.self))
            place += length - 1
        }
        return values
    }
}
