import MusterCore

/// A decoded and re-encoded photo, ready to be stored.
struct PhotoDraft: Sendable {
    var shape: Photo.Shape
    /// The width of the picture in pixels.
    var width: Int
    /// The height of the picture in pixels.
    var height: Int
    /// The picture as a JPEG.
    var picture: [UInt8]
    /// The thumbnail as a JPEG.
    var thumbnail: [UInt8]
}
