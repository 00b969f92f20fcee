/// What becomes of a field that may be absent: nothing where a frame is silent, nothing left where it says `null`.
package enum FieldChange<Value: Encodable & Equatable & Sendable>: Encodable, Equatable, Sendable {
    case unchanged
    case removed
    case replaced(Value)

    /// The value from now on.
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
    /// What a frame says about a field that can be withdrawn.
    func change<Value>(_ field: StaticString, _ value: Value?) -> FieldChange<Value> {
        if let value { return .replaced(value) }
        return self.isNull(field) ? .removed : .unchanged
    }
}

extension FieldList {
    /// The list with one field more, unless that is not to be changed.
    func with<Value>(_ name: String, _ change: FieldChange<Value>) -> FieldList {
        change == .unchanged ? self : self + [name: change]
    }
}
