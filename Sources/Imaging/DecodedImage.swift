import CImagingShims
package import ImagingWire

/// An image of libvips, and the one who lets go of it.
///
/// Its pixels are in memory: what could be found damaged was found.
package struct DecodedImage: ~Copyable {
    /// How a picture lies in its square.
    package enum Fit: Sendable {
        /// Whole, and never larger than it was.
        case within
        /// Filling it; what is beyond the middle is cut off.
        case filling
    }

    private let image: OpaquePointer

    /// Takes over an image; nil is a failure.
    private init?(_ image: OpaquePointer?) {
        guard let image else { return nil }
        self.image = image
    }

    deinit { muster_image_release(self.image) }

    /// Decodes a picture upright, in sRGB, on white, into a square.
    ///
    /// A JPEG that has all of its pixels and lacks its end marker is whole.
    ///
    /// - Parameters:
    ///   - bytes: a JPEG, PNG or WebP.
    ///   - side: the square's pixels.
    ///   - fit: whether the picture lies within the square or fills it.
    /// - Throws: when it cannot be decoded to its end.
    package init(
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

    /// An image in memory; nil when it cannot be decoded to its end.
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
        // The library reads `bytes` up to here, and no longer.
        return muster_image_in_memory(flat.image)
    }

    /// The image within a smaller square.
    ///
    /// - Throws: when memory is short.
    package func shrunk(toSide side: Int) throws(ImagingRefusal) -> DecodedImage {
        guard
            let lazy = DecodedImage(muster_image_shrunk(self.image, Int32(side))),
            let image = DecodedImage(muster_image_in_memory(lazy.image))
        else { throw .damaged }
        return image
    }

    /// The image as a JPEG that says nothing but its pixels.
    ///
    /// - Throws: when memory is short.
    package func jpeg(quality: Int) throws(ImagingRefusal) -> Picture {
        var count = 0
        guard let bytes = muster_image_jpeg(self.image, Int32(quality), &count) else { throw .damaged }
        defer { muster_bytes_release(bytes) }
        return Picture(
            width: Int(muster_image_width(self.image)),
            height: Int(muster_image_height(self.image)),
            bytes: Array(UnsafeRawBufferPointer(start: bytes, count: count))
        )
    }

    /// All pixels, 0xRRGGBB row by row; nil of a picture that has not eight bits each of red, green and blue, or of grey.
    func pixels() -> [UInt32]? {
        var bands: Int32 = 0
        guard let values = muster_image_pixels(self.image, &bands), bands == 1 || bands == 3 else { return nil }
        let count = Int(muster_image_width(self.image)) * Int(muster_image_height(self.image))
        return (0..<count).map { index in
            guard bands == 3 else { return UInt32(values[index]) * 0x010101 }
            return (0..<3).reduce(0) { $0 << 8 | UInt32(values[3 * index + $1]) }
        }
    }

    /// The colour of one pixel, for tests; a grey image has one value three times.
    package func color(x: Int, y: Int) -> [UInt8] {
        var bands: Int32 = 0
        guard let pixels = muster_image_pixels(self.image, &bands) else { return [] }
        let start = (y * Int(muster_image_width(self.image)) + x) * Int(bands)
        return bands == 1 ? [pixels[start], pixels[start], pixels[start]] : (0..<3).map { pixels[start + $0] }
    }
}

extension UnsafeRawBufferPointer {
    fileprivate func ends(with bytes: [UInt8]) -> Bool { self.suffix(bytes.count).elementsEqual(bytes) }
}
