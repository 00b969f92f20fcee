package import MusterCore

// Declarations for fields of frames whose wire format differs from that of their type.

/// An ordered list of fields.
///
/// Fields without a value are not encoded.
package struct FieldList: Encodable, ExpressibleByDictionaryLiteral {
    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    private var fields: [(name: String, value: (any Encodable)?)]

    /// Creates a list of fields.
    package init(_ fields: [(name: String, value: (any Encodable)?)]) { self.fields = fields }

    package init(dictionaryLiteral fields: (String, (any Encodable)?)...) { self.init(fields) }

    /// Returns the concatenation of two lists.
    package static func + (first: FieldList, second: FieldList) -> FieldList { FieldList(first.fields + second.fields) }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Name.self)
        for (name, value) in self.fields {
            guard let value else { continue }
            try container.encode(value, forKey: Name(stringValue: name))
        }
    }
}

/// A number that is written with a maximum number of decimals, without trailing zeros.
package struct RoundedNumber: Encodable, Equatable, Sendable {
    /// The number.
    package let value: Double
    /// The maximum number of decimals.
    package let decimals: Int

    /// Creates a number that is rounded when it is written.
    package init(_ value: Double, decimals: Int) {
        self.value = value
        self.decimals = decimals
    }

    /// Returns degrees with 7 decimals, which is about a centimetre and finer than any receiver.
    package static func degrees(_ value: Double) -> RoundedNumber { RoundedNumber(value, decimals: 7) }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(self.value)
    }
}

/// A field in degrees.
@propertyWrapper
package struct Degrees: Encodable, Equatable, Sendable {
    package var wrappedValue: Double

    package init(wrappedValue: Double) { self.wrappedValue = wrappedValue }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(RoundedNumber.degrees(self.wrappedValue))
    }
}

/// A field that is always encoded: as `null` when it has no value.
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

/// A user's id and name.
package struct PersonView: Encodable, Equatable, Sendable {
    private let id: UserID
    private let name: String

    /// Creates the view of a user.
    package init(_ person: UserProfile) {
        self.id = person.id
        self.name = person.name
    }
}

/// A user's id, name and avatar.
package struct UserView: Encodable, Equatable, Sendable {
    private let id: UserID
    private let name: String
    @Nullable private var avatar: String?

    /// Creates the view of a user.
    package init(_ person: UserProfile) {
        self.id = person.id
        self.name = person.name
        self.avatar = person.avatar
    }
}

extension Coordinate {
    /// The fields `lat` and `lon`.
    package var fields: FieldList {
        ["lat": RoundedNumber.degrees(self.latitude), "lon": RoundedNumber.degrees(self.longitude)]
    }
}
