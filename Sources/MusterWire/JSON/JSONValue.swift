import CMusterShims

/// A value inside a `JSONDocument`, which it keeps alive.
///
/// Access to a missing value returns an absent value. So `document["members"][0]["lat"].double` is nil if any step is
/// missing.
package struct JSONValue {
    private let document: JSONDocument
    private let value: muster_json_value

    init(document: JSONDocument, value: muster_json_value) {
        self.document = document
        self.value = value
    }

    private var scalar: JSONScalar { JSONScalar(self.value) }

    /// Whether the value is missing.
    package var isAbsent: Bool { self.value.document == nil }
    /// Whether the value is `null`.
    package var isNull: Bool { self.scalar.kind == MUSTER_JSON_NULL }
    /// Whether the value is an array, possibly empty.
    package var isArray: Bool { self.scalar.kind == MUSTER_JSON_ARRAY }
    /// The text of a string.
    package var string: String? { self.scalar.string }
    /// The value as a 64-bit integer.
    package var int: Int64? { self.scalar.wholeNumber }
    /// The value as a number.
    package var double: Double? { self.scalar.anyNumber }
    /// The value as a boolean.
    package var bool: Bool? { self.scalar.kind == MUSTER_JSON_BOOL ? self.scalar.boolean : nil }

    /// The number of elements or fields; 0 when it is neither an array nor an object.
    package var count: Int { muster_json_count(self.value) }

    /// The elements of an array; empty for other values.
    package var elements: [JSONValue] {
        var found: [JSONValue] = []
        guard self.scalar.kind == MUSTER_JSON_ARRAY else { return found }
        var cursor = muster_json_begin(self.value)
        var element = muster_json_value()
        while muster_json_next_element(&cursor, &element) {
            found.append(JSONValue(document: self.document, value: element))
        }
        return found
    }

    /// The fields of an object in order; empty for other values.
    package var fields: [(key: String, value: JSONValue)] {
        var found: [(key: String, value: JSONValue)] = []
        guard self.scalar.kind == MUSTER_JSON_OBJECT else { return found }
        var cursor = muster_json_begin(self.value)
        var key = JSONScalar()
        var value = muster_json_value()
        while muster_json_next_field(&cursor, &key, &value) {
            found.append((key.string ?? "", JSONValue(document: self.document, value: value)))
        }
        return found
    }

    /// The field of an object; absent when there is none.
    package subscript(_ key: String) -> JSONValue {
        guard self.scalar.kind == MUSTER_JSON_OBJECT else { return self.absent }
        var key = key
        let found = key.withUTF8 { name in
            name.withMemoryRebound(to: CChar.self) { muster_json_field(self.value, $0.baseAddress, $0.count) }
        }
        return JSONValue(document: self.document, value: found)
    }

    /// The element of an array; absent when there is none.
    package subscript(_ index: Int) -> JSONValue {
        guard self.scalar.kind == MUSTER_JSON_ARRAY, index >= 0 else { return self.absent }
        var cursor = muster_json_begin(self.value)
        var element = muster_json_value()
        for _ in 0...index {
            guard muster_json_next_element(&cursor, &element) else { return self.absent }
        }
        return JSONValue(document: self.document, value: element)
    }

    private var absent: JSONValue { JSONValue(document: self.document, value: muster_json_value()) }
}
