package import MusterCore

// A JSON writer that appends to an array of bytes: no tree, no intermediate strings, one growing buffer.

extension [UInt8] {
    /// Appends characters unchanged.
    ///
    /// The caller guarantees that the result is valid JSON.
    package mutating func append(json text: StaticString) {
        self.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Appends a string with its quotes, escaped by RFC 8259.
    package mutating func append(string text: String) {
        self.append(UInt8(ascii: "\""))
        var text = text
        text.withUTF8 { utf8 in
            var plainStart = 0
            for index in utf8.indices where utf8[index].mustBeEscaped {
                self.append(contentsOf: utf8[plainStart..<index])
                self.append(escaped: utf8[index])
                plainStart = index + 1
            }
            self.append(contentsOf: utf8[plainStart...])
        }
        self.append(UInt8(ascii: "\""))
    }

    /// Appends a string, or `null`.
    package mutating func append(string text: String?) {
        if let text { self.append(string: text) } else { self.append(json: "null") }
    }

    /// Appends `true` or `false`.
    package mutating func append(bool value: Bool) { self.append(json: value ? "true" : "false") }

    /// Appends an integer.
    package mutating func append(integer number: some FixedWidthInteger) {
        self.append(jsonWithin: JSONWriter.numberCapacity) { $0.write(integer: number) }
    }

    /// Appends a number with the fewest digits that give the same `Double`.
    ///
    /// Infinity and NaN, which JSON does not have, become `null`.
    package mutating func append(number: Double) {
        self.append(jsonWithin: JSONWriter.numberCapacity) { $0.write(number: number) }
    }

    /// Appends a number with the fewest digits that give the same `Float`; infinity and NaN become `null`.
    package mutating func append(number: Float) {
        self.append(jsonWithin: JSONWriter.numberCapacity) { $0.write(number: number) }
    }

    /// Appends a number rounded to `decimals` places, without trailing zeros; infinity and NaN become `null`.
    package mutating func append(number: Double, decimals: Int) {
        self.append(jsonWithin: JSONWriter.numberCapacity) { $0.write(number: number, decimals: decimals) }
    }

    /// Appends degrees with 7 decimals, which is about a centimetre and finer than any receiver.
    package mutating func append(degrees: Double) {
        self.append(jsonWithin: JSONWriter.numberCapacity) { $0.write(degrees: degrees) }
    }

    /// Appends an id as a decimal string.
    package mutating func append<Subject>(id: Identifier<Subject>) {
        self.append(UInt8(ascii: "\""))
        self.append(integer: id.rawValue)
        self.append(UInt8(ascii: "\""))
    }

    /// Appends a time in milliseconds.
    package mutating func append(time: Timestamp) { self.append(integer: time.milliseconds) }

    /// Appends `,"id":…` if there is a tag.
    package mutating func append(tag: RequestTag?) {
        guard let tag else { return }
        self.append(json: #","id":"#)
        switch tag {
        case .number(let number): self.append(integer: number)
        case .text(let text): self.append(string: text)
        }
    }

    /// Appends a comma unless an array or object has just been opened.
    package mutating func separateFromPrevious() {
        if self.last != UInt8(ascii: "["), self.last != UInt8(ascii: "{") { self.append(UInt8(ascii: ",")) }
    }

    private mutating func append(escaped byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""): self.append(json: "\\\"")
        case UInt8(ascii: "\\"): self.append(json: "\\\\")
        case UInt8(ascii: "\n"): self.append(json: "\\n")
        case UInt8(ascii: "\r"): self.append(json: "\\r")
        case UInt8(ascii: "\t"): self.append(json: "\\t")
        default:
            self.append(json: "\\u00")
            self.append(UInt8(ascii: "0") + byte >> 4)
            let low = byte & 0xf
            self.append(low < 10 ? UInt8(ascii: "0") + low : UInt8(ascii: "a") + low - 10)
        }
    }
}

extension UInt8 {
    /// Whether the byte must be escaped in a JSON string.
    fileprivate var mustBeEscaped: Bool { self < 0x20 || self == UInt8(ascii: "\"") || self == UInt8(ascii: "\\") }
}
