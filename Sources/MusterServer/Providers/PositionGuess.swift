import MusterCore

/// An approximate position from a network address: coarse by intention, never stored and never shown to others.
struct PositionGuess: Sendable, Equatable {
    /// Rounded to 0.1°.
    var coordinate: Coordinate
    /// Metres, 25,000 at least.
    var accuracy: Double
}
