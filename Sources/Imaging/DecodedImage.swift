import CImagingShims
import ImagingWire

/// The owner of an image of libvips.
///
/// Its pixels are in memory, so that a damaged file has already been detected.
struct DecodedImage: ~Copyable {
    /// The way in which a picture fits its square.
    enum Fit: Sendable {
        /// The whole picture, never enlarged.
        case within
        /// Filling the square, cropped around the centre.
        case filling
    }

    private let image: OpaquePointer

    /// Creates the owner of an image; nil means a failure.
    private init?(_ image: OpaquePointer?) {
        guard let image else { return nil }
        self.image = image
    }

    deinit { muster_image_release(self.image) }

    /// Decodes a picture upright, in sRGB, on white, into a square.
    ///
    /// A JPEG that has all of its pixels but lacks its end marker counts as complete.
    ///
    /// - Parameters:
    ///   - bytes: a JPEG, PNG or WebP.
    ///   - side: the side of the square in pixels.
    ///   - fit: the way in which the picture fits the square.
    /// - Throws: when the picture cannot be decoded to its end.
    init(
        decoding bytes: UnsafeRawBufferPointer,
        side: Int,
        fit: Fit
    ) throws(ImagingRefusal) {
        if let image = Self.decode(bytes, side: side, fit: fit, isPatched: false) {
            self.image = image
            return
        }
        guard PictureFormat(of: bytes) == .jpeg, !bytes.ends(with: Self.endMarker) else { throw .damaged }
        let patched = Array(bytes) + Self.endMarker
        guard let image = patched.withUnsafeBytes({ Self.decode($0, side: side, fit: fit, isPatched: true) }) else {
            throw .damaged
        }
        self.image = image
    }

    /// The marker at the end of a JPEG (ITU-T T.81, B.2.1).
    private static let endMarker: [UInt8] = [0xFF, 0xD9]

    /// Returns an image in memory; nil when the picture cannot be decoded to its end.
    private static func decode(
        _ bytes: UnsafeRawBufferPointer,
        side: Int,
        fit: Fit,
        isPatched: Bool
    ) -> OpaquePointer? {
        let wanted =
            switch fit {
            case .within: MUSTER_FIT_WITHIN
            case .filling: MUSTER_FILL_SQUARE
            }
        let thumbnail = muster_image_thumbnail(bytes.baseAddress, bytes.count, Int32(side), wanted, isPatched)
        guard let lazy = DecodedImage(thumbnail), let flat = DecodedImage(muster_image_on_white(lazy.image)) else {
            return nil
        }
        // From here on, the library does not read `bytes` any more.
        return muster_image_in_memory(flat.image)
    }

    /// Returns the image scaled down to a smaller square.
    ///
    /// - Throws: when memory is short.
    func shrunk(toSide side: Int) throws(ImagingRefusal) -> DecodedImage {
        guard
            let lazy = DecodedImage(muster_image_shrunk(self.image, Int32(side))),
            let image = DecodedImage(muster_image_in_memory(lazy.image))
        else { throw .damaged }
        return image
    }

    /// Returns the image as a JPEG without metadata.
    ///
    /// - Throws: when memory is short.
    func jpeg(quality: Int) throws(ImagingRefusal) -> Picture {
        var count = 0
        guard let bytes = muster_image_jpeg(self.image, Int32(quality), &count) else { throw .damaged }
        defer { muster_bytes_release(bytes) }
        return Picture(
            width: Int(muster_image_width(self.image)),
            height: Int(muster_image_height(self.image)),
            bytes: Array(UnsafeRawBufferPointer(start: bytes, count: count))
        )
    }

    /// Returns all pixels, 0xRRGGBB row by row; nil if the image is neither 8-bit RGB nor 8-bit grey.
    func pixels() -> [UInt32]? {
        var bands: Int32 = 0
        guard let values = muster_image_pixels(self.image, &bands), bands == 1 || bands == 3 else { return nil }
        let count = Int(muster_image_width(self.image)) * Int(muster_image_height(self.image))
        return (0..<count).map { index in
            guard bands == 3 else { return UInt32(values[index]) * 0x010101 }
            return (0..<3).reduce(0) { $0 << 8 | UInt32(values[3 * index + $1]) }
        }
    }

    /// Returns the colour of one pixel, for tests; for a grey image, its value three times.
    func color(x: Int, y: Int) -> [UInt8] {
        var bands: Int32 = 0
        guard let pixels = muster_image_pixels(self.image, &bands) else { return [] }
        let start = (y * Int(muster_image_width(self.image)) + x) * Int(bands)
        return bands == 1 ? [pixels[start], pixels[start], pixels[start]] : (0..<3).map { pixels[start + $0] }
    }
}

extension UnsafeRawBufferPointer {
    fileprivate func ends(with bytes: [UInt8]) -> Bool { self.suffix(bytes.count).elementsEqual(bytes) }
}
