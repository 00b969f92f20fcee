/// The reason why an operation made no picture.
package enum ImagingRefusal: UInt8, Error, Sendable, CaseIterable {
    /// The input is not a JPEG, PNG or WebP.
    case notAPicture = 1
    /// The input is truncated, or cannot be decoded.
    case damaged = 2
    /// The input has more pixels than the limit for untrusted pictures.
    case tooManyPixels = 3
    /// The input is so long and narrow that no square can be cut out of it.
    case tooNarrow = 4
}
