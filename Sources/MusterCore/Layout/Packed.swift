/// A type with one bit pattern that means "no value".
///
/// An `Optional` stores that in a separate byte, which with padding doubles the size of a time or a number.
package protocol Absentable {
    /// The pattern that means "no value", and is never a value otherwise.
    static var absent: Self { get }
    /// Whether this is that pattern.
    var isAbsent: Bool { get }
}

/// An optional of the same size as its value.
@propertyWrapper
package struct Packed<Value: Absentable> {
    private var stored = Value.absent

    /// Creates an empty optional.
    package init() {}

    /// Creates an optional with a value, or an empty one.
    package init(wrappedValue: Value?) { self.stored = wrappedValue ?? .absent }

    /// The value, if there is one.
    package var wrappedValue: Value? {
        get { self.stored.isAbsent ? nil : self.stored }
        set { self.stored = newValue ?? .absent }
    }
}

extension Packed: Sendable where Value: Sendable {}

extension Packed: Equatable where Value: Equatable {
    package static func == (left: Self, right: Self) -> Bool { left.wrappedValue == right.wrappedValue }
}

extension Timestamp: Absentable {
    package static let absent = Timestamp(milliseconds: .min)
    package var isAbsent: Bool { self.milliseconds == .min }
}

extension Float: Absentable {
    // A NaN pattern that calculations do not produce.
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
