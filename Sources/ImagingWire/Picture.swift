/// An encoded picture of a child process.
package struct Picture: Sendable, Equatable {
    /// The width in pixels.
    package var width: Int
    /// The height in pixels.
    package var height: Int
    /// The encoded file.
    package var bytes: [UInt8]

    /// Creates a picture.
    package init(width: Int, height: Int, bytes: [UInt8]) {
        self.width = width
        self.height = height
        self.bytes = bytes
    }
}
