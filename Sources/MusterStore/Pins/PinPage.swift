package import MusterCore
package import MusterWire

/// A page of all pins, newest first.
package struct PinPage: Sendable, Equatable {
    package var pins: [Pin]
    /// The cursor of the next page; nil on the last page.
    package var next: PinCursor?
    /// The total number of pins.
    package var total: Int
    /// The attribution to show with the place names.
    package var attribution: [String]

    /// Creates a page.
    package init(pins: [Pin], next: PinCursor?, total: Int, attribution: [String] = []) {
        self.pins = pins
        self.next = next
        self.total = total
        self.attribution = attribution
    }
}
