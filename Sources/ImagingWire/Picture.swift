/// A picture that a child made, encoded.
package struct Picture: Sendable, Equatable {
    /// Pixels from left to right.
    package var width: Int
    /// Pixels from top to bottom.
    package var height: Int
    /// The file.
    package var bytes: [UInt8]

    /// Describes a picture.
    package init(width: Int, height: Int, bytes: [UInt8]) {
        self.width = width
        self.height = height
        self.bytes = bytes
    }
}
