package import MusterCore

// Writing JSON by appending to an array of bytes: no tree, no intermediate strings, one growing buffer.

extension [UInt8] {
    /// Appends characters as they are; the caller vouches that they fit the JSON around them.
    package mutating func append(json text: StaticString) {
        self.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Appends a string with its quotes, escaped as RFC 8259 demands.
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

    /// Appends a whole number.
    package mutating func append(integer number: some FixedWidthInteger) {
        self.append(jsonWithin: JSONPen.numberRoom) { $0.write(integer: number) }
    }

    /// Appends a number in as few digits as bring the same `Double` back.
    ///
    /// What JSON cannot say, which is infinity and "not a number", becomes `null`.
    package mutating func append(number: Double) {
        self.append(jsonWithin: JSONPen.numberRoom) { $0.write(number: number) }
    }

    /// Appends a number in as few digits as bring the same `Float` back; infinity and "not a number" become `null`.
    package mutating func append(number: Float) {
        self.append(jsonWithin: JSONPen.numberRoom) { $0.write(number: number) }
    }

    /// Appends a number rounded to `decimals` places, without needless zeros; infinity and "not a number" become `null`.
    package mutating func append(number: Double, decimals: Int) {
        self.append(jsonWithin: JSONPen.numberRoom) { $0.write(number: number, decimals: decimals) }
    }

    /// Appends degrees to 7 places, which is about a centimetre and finer than any receiver.
    package mutating func append(degrees: Double) {
        self.append(jsonWithin: JSONPen.numberRoom) { $0.write(degrees: degrees) }
    }

    /// Appends an id: a decimal string.
    package mutating func append<Subject>(id: Identifier<Subject>) {
        self.append(UInt8(ascii: "\""))
        self.append(integer: id.rawValue)
        self.append(UInt8(ascii: "\""))
    }

    /// Appends a moment: milliseconds.
    package mutating func append(time: Timestamp) { self.append(integer: time.milliseconds) }

    /// Appends `,"id":…` when there is a mark.
    mutating func append(tag: RequestTag?) {
        guard let tag else { return }
        self.append(json: #","id":"#)
        switch tag {
        case .number(let number): self.append(integer: number)
        case .text(let text): self.append(string: text)
        }
    }

    /// Appends a comma unless an array or an object has just been opened.
    mutating func separateFromPrevious() {
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
    /// Whether the byte may not stand in a JSON string as it is.
    fileprivate var mustBeEscaped: Bool { self < 0x20 || self == UInt8(ascii: "\"") || self == UInt8(ascii: "\\") }
}
