/// What makes a fix malformed.
package struct FixFault: Error, Sendable, Equatable, Codable {
    /// A field without which, or with a wrong value of which, a fix is none.
    package enum Field: String, Sendable, Codable, CaseIterable {
        case sequence = "seq"
        case latitude = "lat"
        case longitude = "lon"
        case at
        case accuracy
    }

    /// The field that is wrong.
    package var field: Field
    /// What is wrong with it, in one sentence that begins with its name.
    package var reason: String

    /// Describes a malformed fix; `rule` follows the name of the field.
    package init(_ field: Field, _ rule: String) {
        self.field = field
        self.reason = "\(field.rawValue) \(rule)."
    }
}
