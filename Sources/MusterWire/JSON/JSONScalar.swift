import CMusterShims

/// The decoded form of a value in a parsed text.
///
/// Strings are valid while the text is the parser's current one.
typealias JSONScalar = muster_json_scalar

extension JSONScalar {
    /// The largest integer up to which all integers are exact as doubles, and so as JavaScript numbers.
    static let greatestInteger: Int64 = 1 << 53

    init(_ value: muster_json_value) { self = muster_json_read(value) }

    /// Whether the value is absent or `null`, which is the same for every optional field.
    var isMissing: Bool { self.kind == MUSTER_JSON_ABSENT || self.kind == MUSTER_JSON_NULL }

    /// The bytes of a string.
    var utf8: UnsafeRawBufferPointer? {
        self.kind == MUSTER_JSON_STRING ? UnsafeRawBufferPointer(start: self.bytes, count: self.length) : nil
    }

    /// The text of a string.
    var string: String? { self.utf8.map { String(decoding: $0, as: UTF8.self) } }

    /// The value as an integer, even if it is written with a fraction or an exponent, as in `41.0`.
    var wholeNumber: Int64? {
        if self.kind == MUSTER_JSON_INTEGER { return self.integer }
        guard self.kind == MUSTER_JSON_DOUBLE, self.number.magnitude <= Double(Self.greatestInteger) else { return nil }
        return Int64(exactly: self.number)
    }

    /// The value as a number.
    var anyNumber: Double? {
        self.kind == MUSTER_JSON_INTEGER || self.kind == MUSTER_JSON_DOUBLE ? self.number : nil
    }

    /// Returns whether the value is a string equal to `text`.
    func isText(_ text: StaticString) -> Bool {
        guard let utf8 = self.utf8, utf8.count == text.utf8CodeUnitCount else { return false }
        return utf8.elementsEqual(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }
}
