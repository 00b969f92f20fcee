package import MusterCore

/// A photo where something shows it, or, with its id, as whoever uploaded it is told.
package struct PhotoView: Encodable, Equatable, Sendable {
    private let id: PhotoID?
    private let url: String
    private let thumb: String
    private let width: Int
    private let height: Int

    /// Shows a photo.
    package init(_ photo: Photo, withID: Bool = false) {
        self.id = withID ? photo.id : nil
        self.url = photo.url
        self.thumb = photo.thumb
        self.width = photo.width
        self.height = photo.height
    }
}
