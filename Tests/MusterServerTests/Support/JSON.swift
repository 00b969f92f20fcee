/// A JSON text to send, written as Swift literals.
struct JSON {
    /// The JSON text.
    let text: String
    /// The fields of an object: keys with the JSON text of their values.
    private let fields: [(key: String, text: String)]

    private init(text: String) {
        self.text = text
        self.fields = []
    }

    private init(fields: [(key: String, text: String)]) {
        self.fields = fields
        self.text = "{" + fields.map { "\(Self.quoted($0.key)):\($0.text)" }.joined(separator: ",") + "}"
    }

    /// A string.
    static func string(_ value: String) -> JSON { JSON(text: Self.quoted(value)) }

    /// A whole number.
    static func integer(_ value: Int64) -> JSON { JSON(text: String(value)) }

    /// A number.
    static func number(_ value: Double) -> JSON { JSON(text: "\(value)") }

    /// An array.
    static func array(_ elements: [JSON]) -> JSON {
        JSON(text: "[" + elements.map(\.text).joined(separator: ",") + "]")
    }

    /// An object with the fields in this order.
    static func object(_ fields: [(key: String, value: JSON)]) -> JSON {
        JSON(fields: fields.map { (key: $0.key, text: $0.value.text) })
    }

    /// An object with the fields of both.
    func with(_ more: JSON) -> JSON { JSON(fields: self.fields + more.fields) }

    private static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case "\n": quoted += "\\n"
            case "\r": quoted += "\\r"
            case _: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}

extension JSON: ExpressibleByStringInterpolation {
    init(stringLiteral value: String) { self = .string(value) }
}

extension JSON: ExpressibleByIntegerLiteral {
    init(integerLiteral value: Int64) { self = .integer(value) }
}

extension JSON: ExpressibleByFloatLiteral {
    init(floatLiteral value: Double) { self = .number(value) }
}

extension JSON: ExpressibleByBooleanLiteral {
    init(booleanLiteral value: Bool) { self.init(text: String(value)) }
}

extension JSON: ExpressibleByNilLiteral {
    init(nilLiteral: ()) { self.init(text: "null") }
}

extension JSON: ExpressibleByArrayLiteral {
    init(arrayLiteral elements: JSON...) { self = .array(elements) }
}

extension JSON: ExpressibleByDictionaryLiteral {
    init(dictionaryLiteral elements: (String, JSON)...) {
        self = .object(elements.map { (key: $0.0, value: $0.1) })
    }
}
