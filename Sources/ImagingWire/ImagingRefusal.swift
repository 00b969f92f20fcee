/// Why an operation made no picture of what it was given.
package enum ImagingRefusal: UInt8, Error, Sendable, CaseIterable {
    /// It is no JPEG, PNG or WebP.
    case notAPicture = 1
    /// It ends in the middle, or cannot be decoded.
    case damaged = 2
    /// It has more pixels than anybody would decode for a stranger.
    case tooManyPixels = 3
    /// It is so long and narrow that no square can be cut out of it.
    case tooNarrow = 4
}
