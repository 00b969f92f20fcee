/// The specific fields of a notification: a JSON object that only its creator and the client interpret.
package struct NotificationPayload: Sendable, Equatable {
    /// A JSON value.
    package indirect enum Value: Sendable, Equatable {
        case null
        case bool(Bool)
        case integer(Int64)
        /// Written with at most 7 decimals.
        case number(Double)
        case text(String)
        /// A user's id, which a replayed trace may map to a name.
        case user(UserID)
        case list([Value])
        case object([Field])
    }

    /// A named value.
    package struct Field: Sendable, Equatable {
        package var name: String
        package var value: Value

        /// Creates a field.
        package init(_ name: String, _ value: Value) {
            self.name = name
            self.value = value
        }
    }

    /// The fields, in the order in which they are written.
    package var fields: [Field]

    /// Creates a payload.
    package init(_ fields: [Field]) { self.fields = fields }

    /// The value of a field; nil when there is none.
    package subscript(_ name: String) -> Value? { self.fields.first { $0.name == name }?.value }
}

extension NotificationPayload.Value {
    /// The text, if the value is one.
    package var text: String? { if case .text(let text) = self { text } else { nil } }

    /// The number, if the value is one.
    package var number: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .number(let number): number
        case .null, .bool, .text, .user, .list, .object: nil
        }
    }

    /// The value of a field, if the value is an object with that field.
    package subscript(_ name: String) -> Self? {
        if case .object(let fields) = self { fields.first { $0.name == name }?.value } else { nil }
    }
}
