import CImagingShims
import ImagingWire

/// The information in the head of a picture, before any pixel is decoded.
struct PictureHead {
    /// The maximum number of pixels for an untrusted picture, by the way in which the format is read.
    private enum Limit {
        /// The loader scales down while it reads and never holds a full row, so panoramas and 200-megapixel cameras are
        /// allowed.
        static let shrunk = 210_000_000
        /// Every pixel is decoded, row by row.
        static let rows = 50_000_000
        /// All pixels are in memory at once: a progressive JPEG, an interlaced PNG.
        static let interlaced = 25_000_000
    }

    /// The width as stored, in pixels.
    let width: Int
    /// The height as stored, in pixels.
    let height: Int

    /// Reads the head and refuses a picture that is too costly to decode.
    ///
    /// It takes a millisecond, whatever the head claims.
    ///
    /// - Throws: when the format is not supported, or the picture is too large.
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

    /// The ratio of the longer side to the shorter one.
    var ratio: Double { Double(max(self.width, self.height)) / Double(max(1, min(self.width, self.height))) }
}

/// The supported picture formats, detected by the first bytes, independent of any name or header.
enum PictureFormat: Sendable {
    case jpeg
    case png
    case webp

    /// Detects the format by the first bytes; nil when it is not supported.
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
