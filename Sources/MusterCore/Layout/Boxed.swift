/// An optional that lies apart from the value that has it: for what is large and seldom there.
@propertyWrapper
package indirect enum Boxed<Value> {
    case nothing
    case something(Value)

    /// Begins with nothing.
    package init() { self = .nothing }

    /// Begins with a value, or nothing.
    package init(wrappedValue: Value?) { self = wrappedValue.map(Self.something) ?? .nothing }

    /// The value, when there is one.
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

extension Boxed: Codable where Value: Codable {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        self.init(wrappedValue: container.decodeNil() ? nil : try container.decode(Value.self))
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if let value = self.wrappedValue { try container.encode(value) } else { try container.encodeNil() }
    }
}
