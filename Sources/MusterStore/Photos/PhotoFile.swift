/// A file of a photo.
package struct PhotoFile: Sendable, Equatable {
    /// The two files of a photo.
    package enum Size: String, Sendable {
        case picture
        case thumbnail
    }

    /// A JPEG.
    package var bytes: [UInt8]
    /// SHA-256 of the picture; the same for its thumbnail.
    package var hash: [UInt8]
}
