import MusterCore
import MusterWire

/// The end of a page of pins: the time at which the last pin was posted, and its id.
///
/// A replaced pin moves to the front, so an id alone does not define a position. The wire format is
/// `1732060800000.501`.
struct PinCursor: Hashable, Sendable, Encodable {
    var at: Timestamp
    var id: PinID

    /// Creates the cursor after a pin.
    init(_ pin: Pin) {
        self.at = pin.at
        self.id = pin.id
    }

    /// Decodes the wire format; nil when it is invalid.
    init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, let at = Int64(parts[0]), Timestamp.wireRange.contains(at), let id = PinID(parts[1])
        else { return nil }
        self.at = Timestamp(milliseconds: at)
        self.id = id
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode("\(self.at.milliseconds).\(self.id)")
    }
}
