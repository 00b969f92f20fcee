// Fields follow each other: a length plus one in groups of seven bits, the least first, then UTF-8; a length of 0 stands for
// "no value". So a million of them are a million arrays, and not four million strings.

/// What a point of a layer carries beside its id: a text or nothing for each of the kind's fields, in one piece of memory.
package struct PointValues: Hashable, Sendable, Codable {
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

    /// Memory in bytes: that of an array, and what is in it.
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
