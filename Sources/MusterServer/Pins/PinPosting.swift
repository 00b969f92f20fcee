import MusterCore

/// The result of posting a pin.
enum PinPosting: Sendable, Equatable {
    /// The pin was posted.
    case posted(Pin)
    /// The pin was not posted, because the user has this other pin, which the request did not mean to replace.
    case existing(Pin)
}
