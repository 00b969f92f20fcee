package import MusterCore

// How fields of frames are declared where their form is not that of their type.

/// A number that is written with so many decimals at most, without needless zeros.
package struct RoundedNumber: Encodable, Equatable, Sendable {
    /// The number.
    package let value: Double
    /// Decimals at most.
    package let decimals: Int

    /// Rounds a number when it is written.
    package init(_ value: Double, decimals: Int) {
        self.value = value
        self.decimals = decimals
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(self.value)
    }
}

/// A field in degrees: 7 decimals, which is about a centimetre and finer than any receiver.
@propertyWrapper
package struct Degrees: Encodable, Equatable, Sendable {
    package var wrappedValue: Double

    package init(wrappedValue: Double) { self.wrappedValue = wrappedValue }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(RoundedNumber(self.wrappedValue, decimals: 7))
    }
}

/// A field that is always there: `null` when it has no value.
@propertyWrapper
package struct Nullable<Wrapped: Encodable>: Encodable {
    package var wrappedValue: Wrapped?

    package init(wrappedValue: Wrapped?) { self.wrappedValue = wrappedValue }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if let wrappedValue { try container.encode(wrappedValue) } else { try container.encodeNil() }
    }
}

extension Nullable: Equatable where Wrapped: Equatable {}
extension Nullable: Sendable where Wrapped: Sendable {}

/// A person by id and name.
package struct PersonView: Encodable, Equatable, Sendable {
    private let id: UserID
    private let name: String

    /// Shows a person.
    package init(_ person: UserProfile) {
        self.id = person.id
        self.name = person.name
    }
}
