/// A change of an optional field: unchanged where a frame omits the field, removed where it is `null`.
import MusterWire

enum FieldChange<Value: Equatable & Sendable>: Equatable, Sendable {
    case unchanged
    case removed
    case replaced(Value)

    /// Returns the new value.
    func applied(to old: Value?) -> Value? {
        switch self {
        case .unchanged: old
        case .removed: nil
        case .replaced(let value): value
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
