/// The file of a photo, for whoever has its address.
package struct PhotoFile: Sendable, Equatable {
    /// Which of the two files of a photo.
    package enum Size: String, Sendable {
        case picture
        case thumbnail
    }

    /// A JPEG.
    package var bytes: [UInt8]
    /// SHA-256 of the picture, also where this is its thumbnail.
    package var hash: [UInt8]
}
