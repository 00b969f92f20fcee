/// The address and size of a photo.
package struct Photo: Sendable, Equatable {
    /// The form to which a photo was cropped, which determines its use.
    package enum Shape: String, Sendable, CaseIterable {
        /// Uncropped, for photos shown to others.
        case photo
        /// A square, for a user's avatar.
        case face
    }

    package var id: PhotoID
    /// The path of the photo on this server, including the secret that is required to get it.
    package var url: String
    /// The path of its thumbnail, including the secret.
    package var thumb: String
    /// The width in pixels.
    package var width: Int
    /// The height in pixels.
    package var height: Int

    /// Creates a photo.
    package init(id: PhotoID, url: String, thumb: String, width: Int, height: Int) {
        self.id = id
        self.url = url
        self.thumb = thumb
        self.width = width
        self.height = height
    }
}
