package import MusterCore

/// A decoded and re-encoded photo, ready to be stored.
package struct PhotoDraft: Sendable {
    package var shape: Photo.Shape
    /// The width of the picture in pixels.
    package var width: Int
    /// The height of the picture in pixels.
    package var height: Int
    /// The picture as a JPEG.
    package var picture: [UInt8]
    /// The thumbnail as a JPEG.
    package var thumbnail: [UInt8]

    /// Creates a draft.
    package init(shape: Photo.Shape, width: Int, height: Int, picture: [UInt8], thumbnail: [UInt8]) {
        self.shape = shape
        self.width = width
        self.height = height
        self.picture = picture
        self.thumbnail = thumbnail
    }
}
