package import MusterCore

/// A photo where something shows it.
package struct PhotoView: Encodable, Equatable, Sendable {
    private let url: String
    private let thumb: String
    private let width: Int
    private let height: Int

    /// Shows a photo.
    package init(_ photo: Photo) {
        self.url = photo.url
        self.thumb = photo.thumb
        self.width = photo.width
        self.height = photo.height
    }
}

/// A photo that was uploaded, for whoever uploaded it.
package struct UploadedPhoto: Encodable, Equatable, Sendable {
    private let id: PhotoID
    private let url: String
    private let thumb: String
    private let width: Int
    private let height: Int

    /// Shows a photo.
    package init(_ photo: Photo) {
        self.id = photo.id
        self.url = photo.url
        self.thumb = photo.thumb
        self.width = photo.width
        self.height = photo.height
    }
}
