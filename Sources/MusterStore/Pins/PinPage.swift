package import MusterCore
package import MusterWire

/// Some of all pins, the newest first.
package struct PinPage: Sendable, Equatable {
    package var pins: [Pin]
    /// Behind which pin the next page begins; nil when this is the last.
    package var next: PinCursor?
    /// How many pins there are in all.
    package var total: Int
    /// Whom to name beside what places are called.
    package var attribution: [String]

    /// Creates a page.
    package init(pins: [Pin], next: PinCursor?, total: Int, attribution: [String] = []) {
        self.pins = pins
        self.next = next
        self.total = total
        self.attribution = attribution
    }
}
