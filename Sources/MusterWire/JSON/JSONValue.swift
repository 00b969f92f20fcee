import CMusterShims

/// A value inside a `JSONDocument`, which it keeps alive.
///
/// Looking for what is not there gives an absent value, so that `document["members"][0]["lat"].double` is nil rather
/// than a failure when any step of it is missing.
package struct JSONValue {
    private let document: JSONDocument
    private let value: muster_json_value

    init(document: JSONDocument, value: muster_json_value) {
        self.document = document
        self.value = value
    }

    private var scalar: JSONScalar { JSONScalar(self.value) }

    /// Whether there is no such value.
    package var isAbsent: Bool { self.value.document == nil }
    /// Whether it is `null`.
    package var isNull: Bool { self.scalar.kind == MUSTER_JSON_NULL }
    /// Whether it is an array, also an empty one.
    var isArray: Bool { self.scalar.kind == MUSTER_JSON_ARRAY }
    /// Its text, when it is a string.
    package var string: String? { self.scalar.string }
    /// Its number, when it is a whole one within 64 bits.
    package var int: Int64? { self.scalar.wholeNumber }
    /// Its number, when it is any.
    package var double: Double? { self.scalar.anyNumber }
    /// Its truth, when it is `true` or `false`.
    package var bool: Bool? { self.scalar.kind == MUSTER_JSON_BOOL ? self.scalar.boolean : nil }

    /// The number of elements or fields; 0 when it is neither an array nor an object.
    package var count: Int { muster_json_count(self.value) }

    /// Its elements, when it is an array; none when it is not.
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

    /// Its fields in order, when it is an object; none when it is not.
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

    /// A field of an object.
    package subscript(_ key: String) -> JSONValue {
        guard self.scalar.kind == MUSTER_JSON_OBJECT else { return self.absent }
        var key = key
        let found = key.withUTF8 { name in
            name.withMemoryRebound(to: CChar.self) { muster_json_field(self.value, $0.baseAddress, $0.count) }
        }
        return JSONValue(document: self.document, value: found)
    }

    /// An element of an array.
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
