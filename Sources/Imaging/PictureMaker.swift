import CImagingShims
package import ImagingWire
import Synchronization

/// What each operation does, bytes in and pictures out; a feature adds a line to the table.
package enum PictureMaker {
    private typealias Operation = @Sendable (UnsafeRawBufferPointer) throws(ImagingRefusal) -> [Picture]

    private static let table: [ImagingOperation: Operation] = [
        .photo: Self.photo,
        .face: Self.face,
        .share: Self.share,
    ]

    /// How well a JPEG is kept: at this nobody sees a difference, and a photo of 1600 px takes some 300 kB.
    private static let quality = 80
    /// A face is cut out of what is at most so many times as long as wide: more would be enlarged beyond any memory.
    static let longestFace = 20.0

    /// Whether the fonts are open; found out once a process.
    private static let hasFonts = muster_text_start()
    /// Fonts are for one thread at a time; a child has one, tests have more.
    private static let fonts = Mutex(())

    /// Starts libvips and opens the fonts, once a process, before anything else here.
    ///
    /// - Returns: false when libvips cannot be started.
    package static func start() -> Bool {
        // Without fonts there are photos all the same.
        _ = self.hasFonts
        return muster_vips_start()
    }

    /// Whether this process has what an operation takes.
    package static func canMake(_ operation: ImagingOperation) -> Bool { operation != .share || self.hasFonts }

    /// Does an operation.
    ///
    /// - Throws: why there is no picture.
    package static func make(
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

    /// How many letters of a text would be boxes, for tests.
    package static func unknownLetters(in text: String) -> Int {
        self.fonts.withLock { _ in TextLine(text, pixels: 20).unknownLetters }
    }

    /// A picture, and the same within a smaller square.
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
