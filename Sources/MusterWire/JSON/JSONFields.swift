import CMusterShims
package import MusterCore

/// The fields of an object, read by name with the protocol's rules; an error names the field's whole path.
///
/// A field that is `null` is as if it were not there. Of fields with the same name the first counts. Strings that hold
/// U+0000 are refused everywhere, because PostgreSQL cannot store them.
package struct JSONFields {
    private let object: muster_json_value
    /// The path of the object, with its dot.
    private let path: String

    /// Wraps an object; nil when `value` is not one.
    init?(_ value: muster_json_value, path: String = "") {
        guard JSONScalar(value).kind == MUSTER_JSON_OBJECT else { return nil }
        self.object = value
        self.path = path
    }

    /// The value of a field; absent when there is none.
    func value(_ field: StaticString) -> muster_json_value {
        field.withUTF8Buffer { name in
            name.withMemoryRebound(to: CChar.self) { muster_json_field(self.object, $0.baseAddress, $0.count) }
        }
    }

    /// Says what a field must be.
    package func error(_ field: StaticString, _ rule: String) -> FrameError {
        let name = "\(self.path)\(field)"
        return FrameError(.badRequest, message: "\(name) \(rule).", field: name)
    }

    /// Refuses a field that is not there.
    package func required<Value>(_ field: StaticString, _ value: Value?) throws(FrameError) -> Value {
        guard let value else { throw self.error(field, "is required") }
        return value
    }

    // MARK: - Objects

    /// The fields of an object inside this one.
    package func object(_ field: StaticString) throws(FrameError) -> JSONFields? {
        let value = self.value(field)
        guard !JSONScalar(value).isMissing else { return nil }
        guard let fields = JSONFields(value, path: "\(self.path)\(field).") else {
            throw self.error(field, "must be an object")
        }
        return fields
    }

    /// Every field in turn.
    func readEach(_ body: (_ name: String, _ value: muster_json_value) throws(FrameError) -> Void) throws(FrameError) {
        var cursor = muster_json_begin(self.object)
        var key = JSONScalar()
        var value = muster_json_value()
        while muster_json_next_field(&cursor, &key, &value) { try body(key.string ?? "", value) }
    }

    // MARK: - Text

    /// A string that people never see, with as many characters (Unicode scalars) as `length` allows.
    package func string(_ field: StaticString, length: ClosedRange<Int>) throws(FrameError) -> String? {
        let scalar = JSONScalar(self.value(field))
        guard !scalar.isMissing else { return nil }
        guard let text = scalar.string, length.contains(text.unicodeScalars.count) else {
            throw self.error(field, "must be a string of \(length.description) characters")
        }
        guard !text.utf8.contains(0) else { throw self.error(field, "must not contain U+0000") }
        return text
    }

    /// A text that people type.
    package func text(_ field: StaticString, _ rule: TextRule) throws(FrameError) -> String? {
        let scalar = JSONScalar(self.value(field))
        guard !scalar.isMissing else { return nil }
        do throws(TextRule.Violation) {
            guard let text = scalar.string else { throw .length(rule.length) }
            return try rule.cleaned(text)
        } catch {
            throw self.error(field, error.description)
        }
    }

    /// One of the words of an enumeration.
    package func choice<Choice: RawRepresentable & CaseIterable>(
        _ field: StaticString
    ) throws(FrameError) -> Choice? where Choice.RawValue == String {
        let scalar = JSONScalar(self.value(field))
        guard !scalar.isMissing else { return nil }
        guard let text = scalar.string, let choice = Choice(rawValue: text) else {
            throw self.error(field, "must be one of \(Choice.listed)")
        }
        return choice
    }

    // MARK: - Numbers and ids

    /// A whole number within `range`.
    package func integer(_ field: StaticString, in range: ClosedRange<Int64>) throws(FrameError) -> Int64? {
        let scalar = JSONScalar(self.value(field))
        guard !scalar.isMissing else { return nil }
        guard let number = scalar.wholeNumber, range.contains(number) else {
            throw self.error(field, "must be an integer from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// A whole number within `range`.
    package func integer(_ field: StaticString, in range: ClosedRange<Int>) throws(FrameError) -> Int? {
        try self.integer(field, in: Int64(range.lowerBound)...Int64(range.upperBound)).map(Int.init)
    }

    /// A number within `range`.
    package func number(_ field: StaticString, in range: ClosedRange<Double>) throws(FrameError) -> Double? {
        let scalar = JSONScalar(self.value(field))
        guard !scalar.isMissing else { return nil }
        guard let number = scalar.anyNumber, range.contains(number) else {
            throw self.error(field, "must be a number from \(Int(range.lowerBound)) to \(Int(range.upperBound))")
        }
        return number
    }

    /// An id.
    package func identifier<Subject>(_ field: StaticString) throws(FrameError) -> Identifier<Subject>? {
        let scalar = JSONScalar(self.value(field))
        guard !scalar.isMissing else { return nil }
        guard let text = scalar.string, let identifier = Identifier<Subject>(text) else {
            throw self.error(field, "must be an id, which is a decimal string")
        }
        return identifier
    }

    /// A moment.
    package func timestamp(_ field: StaticString) throws(FrameError) -> Timestamp? {
        try self.integer(field, in: Timestamp.wireRange).map(Timestamp.init(milliseconds:))
    }
}

extension Timestamp {
    /// The milliseconds that the protocol can say: until the end of the year 9999.
    static let wireRange: ClosedRange<Int64> = 0...253_402_300_799_999
}

extension CaseIterable where Self: RawRepresentable, RawValue == String {
    /// The words of the enumeration, for a sentence.
    static var listed: String { self.allCases.map(\.rawValue).joined(separator: ", ") }
}
