import CImagingShims
import ImagingWire
import Synchronization

/// The imaging operations, from bytes to pictures.
///
/// A feature adds a line to the table.
enum PictureMaker {
    private typealias Operation = @Sendable (UnsafeRawBufferPointer) throws(ImagingRefusal) -> [Picture]

    private static let table: [ImagingOperation: Operation] = [
        .photo: Self.photo,
        .face: Self.face,
        .share: Self.share,
    ]

    /// The quality of a JPEG: without visible loss, and a photo of 1600 px takes about 300 kB.
    private static let quality = 80
    /// The maximum side ratio of a picture for a face.
    ///
    /// A larger ratio would enlarge it beyond any memory.
    static let longestFace = 20.0

    /// Whether the fonts are open; evaluated once for each process.
    private static let hasFonts = muster_text_start()
    /// A lock for the fonts, which allow one thread at a time.
    ///
    /// A child has one thread; tests have more.
    private static let fonts = Mutex(())

    /// Starts libvips and opens the fonts, once for each process, before any other call.
    ///
    /// - Returns: false when libvips cannot be started.
    static func start() -> Bool {
        // Photos work without fonts.
        _ = self.hasFonts
        return muster_vips_start()
    }

    /// Returns whether this process has the resources of an operation.
    static func canMake(_ operation: ImagingOperation) -> Bool { operation != .share || self.hasFonts }

    /// Executes an operation.
    ///
    /// - Throws: the reason why there is no picture.
    static func make(
        _ operation: ImagingOperation,
        of bytes: UnsafeRawBufferPointer
    ) throws(ImagingRefusal) -> [Picture] {
        guard let make = self.table[operation] else { preconditionFailure("\(operation) is missing in the table") }
        defer { muster_vips_forget_failures() }
        return try make(bytes)
    }

    @Sendable private static func photo(_ bytes: UnsafeRawBufferPointer) throws(ImagingRefusal) -> [Picture] {
        _ = try PictureHead(of: bytes)
        return try self.pair(try DecodedImage(decoding: bytes, side: 1600, fit: .within), thumbnail: 320)
    }

    @Sendable private static func face(_ bytes: UnsafeRawBufferPointer) throws(ImagingRefusal) -> [Picture] {
        guard try PictureHead(of: bytes).ratio <= self.longestFace else { throw .tooNarrow }
        return try self.pair(try DecodedImage(decoding: bytes, side: 512, fit: .filling), thumbnail: 96)
    }

    @Sendable private static func share(_ bytes: UnsafeRawBufferPointer) throws(ImagingRefusal) -> [Picture] {
        guard let picture = SharePicture(decoding: Array(bytes)) else { throw .damaged }
        return [try self.fonts.withLock { _ throws(ImagingRefusal) in try ShareDrawing(picture).drawn() }]
    }

    /// Returns the number of characters of a text that no font contains, for tests.
    static func unknownLetters(in text: String) -> Int {
        self.fonts.withLock { _ in TextLine(text, pixels: 20).unknownLetters }
    }

    /// Returns a picture, and the same picture in a smaller square.
    private static func pair(
        _ image: borrowing DecodedImage,
        thumbnail side: Int
    ) throws(ImagingRefusal) -> [Picture] {
        [
            try image.jpeg(quality: self.quality),
            try image.shrunk(toSide: side).jpeg(quality: self.quality),
        ]
    }
}
