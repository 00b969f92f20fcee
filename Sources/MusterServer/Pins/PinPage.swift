import MusterCore
import MusterWire

/// A page of all pins, newest first.
struct PinPage: Sendable, Equatable {
    var pins: [Pin]
    /// The cursor of the next page; nil on the last page.
    var next: PinCursor?
    /// The total number of pins.
    var total: Int
    /// The attribution to show with the place names.
    var attribution: [String] = []
}
