package import MusterCore

/// Where a page of pins ends: behind a pin, by the time at which it was posted, and its id.
///
/// Pins move to the front when they are replaced, so that an id alone says no place. On the wire `1732060800000.501`.
package struct PinCursor: Hashable, Sendable, Encodable {
    package var at: Timestamp
    package var id: PinID

    /// Ends a page behind a pin.
    package init(_ pin: Pin) {
        self.at = pin.at
        self.id = pin.id
    }

    /// Reads what the wire has; nil when it is no cursor.
    init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, let at = Int64(parts[0]), Timestamp.wireRange.contains(at), let id = PinID(parts[1])
        else { return nil }
        self.at = Timestamp(milliseconds: at)
        self.id = id
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode("\(self.at.milliseconds).\(self.id)")
    }
}
