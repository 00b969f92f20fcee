/// A value inside a `JSONDocument`, which it keeps alive.
///
/// Looking for what is not there gives an absent value, so that `document["members"][0]["lat"].double` is nil rather
/// than a failure when any step of it is missing.
package struct JSONValue {
    /// The document that owns the value.
    package let document: JSONDocument

    /// Whether there is no such value.
    package var isAbsent: Bool { preconditionFailure("skeleton") }
    /// Whether it is `null`.
    package var isNull: Bool { preconditionFailure("skeleton") }
    /// Its text, when it is a string.
    package var string: String? { preconditionFailure("skeleton") }
    /// Its number, when it is a whole one within 64 bits.
    package var int: Int64? { preconditionFailure("skeleton") }
    /// Its number, when it is any.
    package var double: Double? { preconditionFailure("skeleton") }
    /// Its truth, when it is `true` or `false`.
    package var bool: Bool? { preconditionFailure("skeleton") }
    /// Its elements, when it is an array; none when it is not.
    package var elements: [JSONValue] { preconditionFailure("skeleton") }
    /// Its fields in order, when it is an object; none when it is not.
    package var fields: [(key: String, value: JSONValue)] { preconditionFailure("skeleton") }

    /// A field of an object.
    package subscript(_ key: String) -> JSONValue { preconditionFailure("skeleton") }

    /// An element of an array.
    package subscript(_ index: Int) -> JSONValue { preconditionFailure("skeleton") }
}
