/// An app for phones, not made for Muster, whose reports are accepted.
package enum PhoneApp: String, Sendable, CaseIterable, Encodable {
    case owntracks
    case overland
    case osmand
    case traccar

    /// Whether the app obeys a request for its position, which it finds in the answer to its own report.
    package var answersLocate: Bool {
        switch self {
        case .owntracks: true
        case .overland, .osmand, .traccar: false
        }
    }
}
