package import MusterCore

/// What became of a pin that somebody posted.
package enum PinPosting: Sendable, Equatable {
    /// It is there.
    case posted(Pin)
    /// It is not, for they have this one, which is another than they meant to replace.
    case standing(Pin)
}
