package import CMusterShims
package import MusterCore

/// The fields of an object, decoded by name with the protocol's rules.
///
/// An error names the field's full path.
///
/// A field that is `null` counts as missing. Of fields with the same name, the first one counts. Strings that contain
/// U+0000 are always rejected, because PostgreSQL cannot store them.
package struct JSONFields {
    private let object: muster_json_value
    /// The path of the object, with a trailing dot.
    private let path: String

    /// Wraps an object; nil when `value` is not an object.
    package init?(_ value: muster_json_value, path: String = "") {
        guard JSONScalar(value).kind == MUSTER_JSON_OBJECT else { return nil }
        self.object = value
        self.path = path
    }

    /// Parses a copy of `text` as an object, and passes its fields to `read`.
    ///
    /// - Throws: `badJSON`, `badRequest` when it is not an object, and the error of `read`.
    package static func reading<Value>(
        _ text: [UInt8],
        _ read: (JSONFields) throws(FrameError) -> Value
    ) throws(FrameError) -> Value {
        // The fields refer to the parser's memory.
        let parser = JSONParser()
        defer { withExtendedLifetime(parser) {} }
        guard let fields = JSONFields(try parser.parse(copying: text)) else {
            throw FrameError(.badRequest, message: "The body must be a JSON object.")
        }
        return try read(fields)
    }

    /// Returns the value of a field; absent when there is none.
    package func value(_ field: StaticString) -> muster_json_value {
        field.withUTF8Buffer { name in
            name.withMemoryRebound(to: CChar.self) { muster_json_field(self.object, $0.baseAddress, $0.count) }
        }
    }

    /// Returns whether a field exists and is `null`.
    package func isNull(_ field: StaticString) -> Bool { JSONScalar(self.value(field)).kind == MUSTER_JSON_NULL }

    /// Returns whether a field is missing or `null`.
    package func isMissing(_ field: StaticString) -> Bool { JSONScalar(self.value(field)).isMissing }

    /// Returns whether a field is a string equal to `text`.
    package func isText(_ field: StaticString, _ text: StaticString) -> Bool {
        JSONScalar(self.value(field)).isText(text)
    }

    /// Creates the error of a field that violates a rule.
    package func error(_ field: StaticString, _ rule: String) -> FrameError {
        let name = "\(self.path)\(field)"
        return FrameError(.badRequest, message: "\(name) \(rule).", field: name)
    }

    /// Returns the value of a required field.
    package func required<Value>(_ field: StaticString, _ value: Value?) throws(FrameError) -> Value {
        guard let value else { throw self.error(field, "is required") }
        return value
    }

    // MARK: - Objects

    /// Returns the fields of a nested object.
    package func object(_ field: StaticString) throws(FrameError) -> JSONFields? {
        let value = self.value(field)
        guard !JSONScalar(value).isMissing else { return nil }
        guard let fields = JSONFields(value, path: "\(self.path)\(field).") else {
            throw self.error(field, "must be an object")
        }
        return fields
    }

    /// Calls `body` for every field in order.
    func readEach(_ body: (_ name: String, _ value: muster_json_value) throws(FrameError) -> Void) throws(FrameError) {
        var cursor = muster_json_begin(self.object)
        var key = JSONScalar()
        var value = muster_json_value()
        while muster_json_next_field(&cursor, &key, &value) { try body(key.string ?? "", value) }
    }

    // MARK: - Text

    /// Returns an internal string whose number of characters (Unicode scalars) is in `length`; nil allows any number.
    package func string(_ field: StaticString, length: ClosedRange<Int>? = nil) throws(FrameError) -> String? {
        let scalar = JSONScalar(self.value(field))
        guard !scalar.isMissing else { return nil }
        guard let text = scalar.string, length?.contains(text.unicodeScalars.count) ?? true else {
            throw self.error(field, "must be a string\(length.map { " of \($0.description) characters" } ?? "")")
        }
        guard !text.utf8.contains(0) else { throw self.error(field, "must not contain U+0000") }
        return text
    }

    /// Returns a text that a user has typed.
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

    /// Returns a web address that a user has entered.
    package func webLink(_ field: StaticString) throws(FrameError) -> String? {
        let scalar = JSONScalar(self.value(field))
        guard !scalar.isMissing else { return nil }
        do throws(WebLink.Violation) {
            guard let text = scalar.string else { throw .length }
            return try WebLink(text).text
        } catch {
            throw self.error(field, error.description)
        }
    }

    /// Returns a value of an enumeration.
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

    /// Returns an array of enumeration values, whose number is in `count`.
    ///
    /// Values may repeat.
    package func choices<Choice: RawRepresentable & CaseIterable>(
        _ field: StaticString,
        count: ClosedRange<Int>
    ) throws(FrameError) -> [Choice]? where Choice.RawValue == String {
        let list = self.value(field)
        guard !JSONScalar(list).isMissing else { return nil }
        guard JSONScalar(list).kind == MUSTER_JSON_ARRAY, count.contains(muster_json_count(list)) else {
            throw self.error(field, "must be an array of \(count.lowerBound) to \(count.upperBound) strings")
        }
        var choices: [Choice] = []
        var cursor = muster_json_begin(list)
        var element = muster_json_value()
        while muster_json_next_element(&cursor, &element) {
            guard let choice = JSONScalar(element).string.flatMap({ Choice(rawValue: $0) }) else {
                throw self.error(field, "must contain only \(Choice.listed)")
            }
            choices.append(choice)
        }
        return choices
    }

    /// Returns a boolean.
    package func flag(_ field: StaticString) throws(FrameError) -> Bool? {
        let scalar = JSONScalar(self.value(field))
        guard !scalar.isMissing else { return nil }
        guard scalar.kind == MUSTER_JSON_BOOL else { throw self.error(field, "must be true or false") }
        return scalar.boolean
    }

    // MARK: - Numbers and ids

    /// Returns an integer within `range`.
    package func integer(_ field: StaticString, in range: ClosedRange<Int64>) throws(FrameError) -> Int64? {
        let scalar = JSONScalar(self.value(field))
        guard !scalar.isMissing else { return nil }
        guard let number = scalar.wholeNumber, range.contains(number) else {
            throw self.error(field, "must be an integer from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// Returns an integer within `range`.
    package func integer(_ field: StaticString, in range: ClosedRange<Int>) throws(FrameError) -> Int? {
        try self.integer(field, in: Int64(range.lowerBound)...Int64(range.upperBound)).map(Int.init)
    }

    /// Returns a number within `range`.
    package func number(_ field: StaticString, in range: ClosedRange<Double>) throws(FrameError) -> Double? {
        let scalar = JSONScalar(self.value(field))
        guard !scalar.isMissing else { return nil }
        guard let number = scalar.anyNumber, range.contains(number) else {
            throw self.error(field, "must be a number from \(Int(range.lowerBound)) to \(Int(range.upperBound))")
        }
        return number
    }

    /// Returns an array of exactly `count` numbers.
    package func numbers(_ field: StaticString, count: Int) throws(FrameError) -> [Double]? {
        let list = self.value(field)
        guard !JSONScalar(list).isMissing else { return nil }
        let error = self.error(field, "must be an array of \(count) numbers")
        guard JSONScalar(list).kind == MUSTER_JSON_ARRAY, muster_json_count(list) == count else { throw error }
        var numbers: [Double] = []
        var cursor = muster_json_begin(list)
        var element = muster_json_value()
        while muster_json_next_element(&cursor, &element) {
            guard let number = JSONScalar(element).anyNumber else { throw error }
            numbers.append(number)
        }
        return numbers
    }

    /// Returns an id.
    package func identifier<Subject>(_ field: StaticString) throws(FrameError) -> Identifier<Subject>? {
        let scalar = JSONScalar(self.value(field))
        guard !scalar.isMissing else { return nil }
        guard let text = scalar.string, let identifier = Identifier<Subject>(text) else {
            throw self.error(field, "must be an id: a string of decimal digits")
        }
        return identifier
    }

    /// Returns a list of at most `count` ids, without duplicates.
    package func identifiers<Subject>(
        _ field: StaticString,
        atMost count: Int
    ) throws(FrameError) -> [Identifier<Subject>]? {
        let list = self.value(field)
        guard !JSONScalar(list).isMissing else { return nil }
        let error = self.error(field, "must be an array of at most \(count) ids")
        guard JSONScalar(list).kind == MUSTER_JSON_ARRAY, muster_json_count(list) <= count else { throw error }
        var identifiers: [Identifier<Subject>] = []
        var cursor = muster_json_begin(list)
        var element = muster_json_value()
        while muster_json_next_element(&cursor, &element) {
            guard let identifier = JSONScalar(element).string.flatMap({ Identifier<Subject>($0) }) else { throw error }
            if !identifiers.contains(identifier) { identifiers.append(identifier) }
        }
        return identifiers
    }

    /// Returns a time.
    package func timestamp(_ field: StaticString) throws(FrameError) -> Timestamp? {
        try self.integer(field, in: Timestamp.wireRange).map(Timestamp.init(milliseconds:))
    }
}

extension Timestamp {
    /// The valid milliseconds of the protocol: until the end of the year 9999.
    package static let wireRange: ClosedRange<Int64> = 0...253_402_300_799_999
}

extension CaseIterable where Self: RawRepresentable, RawValue == String {
    /// The values of the enumeration, for a message.
    static var listed: String { self.allCases.map(\.rawValue).joined(separator: ", ") }
}
