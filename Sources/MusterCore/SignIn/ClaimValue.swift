/// A value in the JSON of a token.
package enum ClaimValue: Sendable, Equatable, Decodable {
    case null
    case bool(Bool)
    case number(Double)
    case text(String)
    case list([ClaimValue])
    case object([String: ClaimValue])

    /// Decodes any JSON value.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .text(value)
        } else if let value = try? container.decode([ClaimValue].self) {
            self = .list(value)
        } else {
            self = .object(try container.decode([String: ClaimValue].self))
        }
    }

    /// The text, if the value is one.
    package var text: String? {
        guard case .text(let text) = self else { return nil }
        return text
    }

    /// The time in seconds since the Unix epoch, as a timestamp, if the value is a number of the years 1970 to 9999.
    var time: Timestamp? {
        guard case .number(let seconds) = self, (0..<253_402_300_800).contains(seconds) else { return nil }
        return Timestamp(milliseconds: Int64(seconds * 1000))
    }

    /// Whether the value, or an element of the list that it is, equals another.
    package func includes(_ value: ClaimValue) -> Bool {
        guard self != value else { return true }
        guard case .list(let elements) = self else { return false }
        return elements.contains(value)
    }
}
