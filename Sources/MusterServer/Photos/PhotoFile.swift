/// A file of a photo.
struct PhotoFile: Sendable, Equatable {
    /// The two files of a photo.
    enum Size: String, Sendable {
        case picture
        case thumbnail
    }

    /// A JPEG.
    var bytes: [UInt8]
    /// SHA-256 of the picture; the same for its thumbnail.
    var hash: [UInt8]
}
