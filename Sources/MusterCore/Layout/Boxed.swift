/// An optional stored on the heap, for large values that are rarely present.
@propertyWrapper
package indirect enum Boxed<Value> {
    case nothing
    case something(Value)

    /// Creates an empty box.
    package init() { self = .nothing }

    /// Creates a box with a value, or an empty one.
    package init(wrappedValue: Value?) { self = wrappedValue.map(Self.something) ?? .nothing }

    /// The value, if there is one.
    package var wrappedValue: Value? {
        get { if case .something(let value) = self { value } else { nil } }
        set {
            guard let newValue else {
                self = .nothing
                return
            }
            self = .something(newValue)
        }
    }
}

extension Boxed: Sendable where Value: Sendable {}
extension Boxed: Equatable where Value: Equatable {}
