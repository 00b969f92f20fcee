/// A photo as others see it: where it can be had, and how large it is.
package struct Photo: Sendable, Equatable, Codable {
    /// What a photo was cut to, which says what can use it.
    package enum Shape: String, Sendable, CaseIterable {
        /// Whole, for what people show each other.
        case photo
        /// A square, for a person's face.
        case face
    }

    package var id: PhotoID
    /// The path of the photo on this server, with the secret without which it is not served.
    package var url: String
    /// The same of its thumbnail.
    package var thumb: String
    /// Pixels of the photo from left to right.
    package var width: Int
    /// Pixels of the photo from top to bottom.
    package var height: Int

    /// Describes a photo.
    package init(id: PhotoID, url: String, thumb: String, width: Int, height: Int) {
        self.id = id
        self.url = url
        self.thumb = thumb
        self.width = width
        self.height = height
    }
}
