import CImagingShims
import ImagingWire

/// What a picture says of itself before any pixel of it is decoded.
struct PictureHead {
    /// The most pixels that are decoded for a stranger, by how the format is read.
    private enum Limit {
        /// The loader shrinks while it reads, and never holds a whole row of full size: panoramas and cameras of 200 million.
        static let shrunk = 210_000_000
        /// Every pixel is decoded, row by row.
        static let rows = 50_000_000
        /// All of them are in memory at once: a progressive JPEG, an interlaced PNG.
        static let interlaced = 25_000_000
    }

    /// Pixels from left to right, as they are stored.
    let width: Int
    /// Pixels from top to bottom, as they are stored.
    let height: Int

    /// Reads the head, and refuses what would cost too much to decode: that takes a millisecond, whatever the picture claims.
    ///
    /// - Throws: when it is no picture of the three kinds, or too large a one.
    init(of bytes: UnsafeRawBufferPointer) throws(ImagingRefusal) {
        guard let format = PictureFormat(of: bytes) else { throw .notAPicture }
        guard let head = muster_image_head(bytes.baseAddress, bytes.count) else { throw .damaged }
        defer { muster_image_release(head) }
        self.width = Int(muster_image_width(head))
        self.height = Int(muster_image_height(head))
        let most =
            if muster_image_is_interlaced(head) {
                Limit.interlaced
            } else {
                switch format {
                case .jpeg: Limit.shrunk
                case .png, .webp: Limit.rows
                }
            }
        guard self.width * self.height <= most else { throw .tooManyPixels }
    }

    /// How many times as long as wide it is, or as wide as long.
    var ratio: Double { Double(max(self.width, self.height)) / Double(max(1, min(self.width, self.height))) }
}

/// The kinds of picture that are taken, by their first bytes, whatever a name or a header calls them.
enum PictureFormat: Sendable {
    case jpeg
    case png
    case webp

    /// Looks at the first bytes; nil when it is another kind.
    init?(of bytes: UnsafeRawBufferPointer) {
        if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
            self = .jpeg
        } else if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            self = .png
        } else if bytes.starts(with: "RIFF".utf8), bytes.dropFirst(8).starts(with: "WEBP".utf8) {
            self = .webp
        } else {
            return nil
        }
    }
}
