/// A value of which one bit pattern says that it is not there.
///
/// An `Optional` keeps that beside the value, and with the padding behind it doubles what a time or a number takes.
package protocol Absentable {
    /// The pattern that says so, which is no value otherwise.
    static var absent: Self { get }
    /// Whether it is that.
    var isAbsent: Bool { get }
}

/// An optional in the space of its value.
@propertyWrapper
package struct Packed<Value: Absentable> {
    private var stored = Value.absent

    /// Begins with nothing.
    package init() {}

    /// Begins with a value, or nothing.
    package init(wrappedValue: Value?) { self.stored = wrappedValue ?? .absent }

    /// The value, when there is one.
    package var wrappedValue: Value? {
        get { self.stored.isAbsent ? nil : self.stored }
        set { self.stored = newValue ?? .absent }
    }
}

extension Packed: Sendable where Value: Sendable {}

extension Packed: Equatable where Value: Equatable {
    package static func == (left: Self, right: Self) -> Bool { left.wrappedValue == right.wrappedValue }
}

extension Packed: Codable where Value: Codable {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        self.init(wrappedValue: container.decodeNil() ? nil : try container.decode(Value.self))
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if let value = self.wrappedValue { try container.encode(value) } else { try container.encodeNil() }
    }
}

extension Timestamp: Absentable {
    package static let absent = Timestamp(milliseconds: .min)
    package var isAbsent: Bool { self.milliseconds == .min }
}

extension Float: Absentable {
    // One of the many that are no number, and not the one that calculations give.
    package static var absent: Float { Float(bitPattern: .max) }
    package var isAbsent: Bool { self.bitPattern == .max }
}

extension Int32: Absentable {
    package static var absent: Int32 { .min }
    package var isAbsent: Bool { self == .min }
}

extension UInt32: Absentable {
    package static var absent: UInt32 { .max }
    package var isAbsent: Bool { self == .max }
}

extension Coordinate: Absentable {
    package static var absent: Coordinate { Coordinate(latitude: .infinity, longitude: .infinity) }
    package var isAbsent: Bool { self.latitude == .infinity && self.longitude == .infinity }
}

extension Identifier: Absentable {
    package static var absent: Self { Self(.min) }
    package var isAbsent: Bool { self.rawValue == .min }
}
