/// The reason why a fix is malformed.
package struct FixFault: Error, Sendable, Equatable {
    /// A field whose absence or invalid value makes a fix malformed.
    package enum Field: String, Sendable, CaseIterable {
        case sequence = "seq"
        case latitude = "lat"
        case longitude = "lon"
        case at
        case accuracy
    }

    /// The invalid field.
    package var field: Field
    /// The reason, in one sentence that begins with the name of the field.
    package var reason: String

    /// Creates a fault; `rule` follows the name of the field.
    package init(_ field: Field, _ rule: String) {
        self.field = field
        self.reason = "\(field.rawValue) \(rule)."
    }
}
