/// What a notification says beside its head: an object of JSON, which nobody between its maker and the client looks into.
package struct NotificationPayload: Sendable, Equatable, Codable {
    /// A value in it.
    package indirect enum Value: Sendable, Equatable, Codable {
        case null
        case bool(Bool)
        case integer(Int64)
        /// Written with at most 7 decimals.
        case number(Double)
        case text(String)
        /// A person's id, for which a replayed trace has a name.
        case user(UserID)
        case list([Value])
        case object([Field])
    }

    /// A named value.
    package struct Field: Sendable, Equatable, Codable {
        package var name: String
        package var value: Value

        /// Names a value.
        package init(_ name: String, _ value: Value) {
            self.name = name
            self.value = value
        }
    }

    /// Its fields, in the order in which they are written.
    package var fields: [Field]

    /// Creates a payload.
    package init(_ fields: [Field]) { self.fields = fields }

    /// The value of a field; nil when there is none.
    package subscript(_ name: String) -> Value? { self.fields.first { $0.name == name }?.value }
}

extension NotificationPayload.Value {
    /// The text, when it is one.
    package var text: String? { if case .text(let text) = self { text } else { nil } }

    /// The number, when it is any.
    package var number: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .number(let number): number
        case .null, .bool, .text, .user, .list, .object: nil
        }
    }

    /// The value of a field, when it is an object that has it.
    package subscript(_ name: String) -> Self? {
        if case .object(let fields) = self { fields.first { $0.name == name }?.value } else { nil }
    }
}
