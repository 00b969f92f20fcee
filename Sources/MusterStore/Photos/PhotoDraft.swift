package import MusterCore

/// A photo to be kept: decoded, and encoded anew.
package struct PhotoDraft: Sendable {
    package var shape: Photo.Shape
    /// Pixels of the picture from left to right.
    package var width: Int
    /// Pixels of the picture from top to bottom.
    package var height: Int
    /// The picture as a JPEG.
    package var picture: [UInt8]
    /// Its thumbnail as a JPEG.
    package var thumbnail: [UInt8]

    /// Describes a photo.
    package init(shape: Photo.Shape, width: Int, height: Int, picture: [UInt8], thumbnail: [UInt8]) {
        self.shape = shape
        self.width = width
        self.height = height
        self.picture = picture
        self.thumbnail = thumbnail
    }
}
