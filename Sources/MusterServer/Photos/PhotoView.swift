import MusterCore
import MusterWire

/// A photo in an answer or frame.
///
/// The id is only encoded for the user who uploaded it.
struct PhotoView: Encodable, Equatable, Sendable {
    private let id: PhotoID?
    private let url: String
    private let thumb: String
    private let width: Int
    private let height: Int

    /// Creates the view of a photo.
    init(_ photo: Photo, withID: Bool = false) {
        self.id = withID ? photo.id : nil
        self.url = photo.url
        self.thumb = photo.thumb
        self.width = photo.width
        self.height = photo.height
    }
}
