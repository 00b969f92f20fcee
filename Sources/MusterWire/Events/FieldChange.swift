/// A change of an optional field: unchanged where a frame omits the field, removed where it is `null`.
package enum FieldChange<Value: Encodable & Equatable & Sendable>: Encodable, Equatable, Sendable {
    case unchanged
    case removed
    case replaced(Value)

    /// Returns the new value.
    package func applied(to old: Value?) -> Value? {
        switch self {
        case .unchanged: old
        case .removed: nil
        case .replaced(let value): value
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .unchanged, .removed: try container.encodeNil()
        case .replaced(let value): try container.encode(value)
        }
    }
}

extension JSONFields {
    /// Returns the change of an optional field in a frame.
    func change<Value>(_ field: StaticString, _ value: Value?) -> FieldChange<Value> {
        if let value { return .replaced(value) }
        return self.isNull(field) ? .removed : .unchanged
    }
}

extension FieldList {
    /// Returns the list with one more field, unless the field is unchanged.
    func with<Value>(_ name: String, _ change: FieldChange<Value>) -> FieldList {
        change == .unchanged ? self : self + [name: change]
    }
}
