// A phone writes an Exif segment (JEITA CP-3451) into its pictures, after the first two bytes of the JPEG. It contains
// a TIFF with the maker, the orientation and the position.

/// The Exif data of a phone's picture.
package struct PhoneMetadata: Sendable {
    /// The Exif orientation of the stored picture, 1 to 8.
    package var orientation: UInt16

    /// The maker, which identifies the owner's phone; tests search files for these bytes.
    package static let maker = "Pear Inc."

    /// Creates metadata with this orientation.
    package init(orientation: UInt16) { self.orientation = orientation }

    /// The JPEG with this metadata inserted.
    package func added(to jpeg: [UInt8]) -> [UInt8] {
        let content = Array("Exif\0\0".utf8) + self.tiff
        let length = content.count + 2
        return Array(jpeg[..<2]) + [0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 0xFF)] + content + Array(jpeg[2...])
    }

    private var tiff: [UInt8] {
        let maker = Array(Self.maker.utf8) + [0]
        // The texts and fractions follow the two directories, which have three and four entries.
        let gps = 8 + 2 + 3 * 12 + 4
        let data = gps + 2 + 4 * 12 + 4
        let latitude = data + maker.count
        let directory: [UInt8] =
            self.short(3)
            + self.entry(0x010F, type: 2, count: maker.count, self.long(data))
            + self.entry(0x0112, type: 3, count: 1, self.short(self.orientation) + [0, 0])
            + self.entry(0x8825, type: 4, count: 1, self.long(gps))
            + self.long(0)
        let position: [UInt8] =
            self.short(4)
            + self.entry(0x0001, type: 2, count: 2, [UInt8(ascii: "N"), 0, 0, 0])
            + self.entry(0x0002, type: 5, count: 3, self.long(latitude))
            + self.entry(0x0003, type: 2, count: 2, [UInt8(ascii: "E"), 0, 0, 0])
            + self.entry(0x0004, type: 5, count: 3, self.long(latitude + 24))
            + self.long(0)
        let degrees = [48, 1, 12, 1, 29, 1, 16, 1, 22, 1, 25, 1].flatMap { self.long($0) }
        return Array("MM".utf8) + self.short(42) + self.long(8) + directory + position + maker + degrees
    }

    private func entry(_ tag: UInt16, type: UInt16, count: Int, _ value: [UInt8]) -> [UInt8] {
        self.short(tag) + self.short(type) + self.long(count) + value
    }

    private func short(_ number: UInt16) -> [UInt8] { [UInt8(number >> 8), UInt8(number & 0xFF)] }

    private func long(_ number: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) } }
}
